import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '#kernel/refusals.ts'
import type { Tenancy } from '#kernel/routes.ts'
import type { RpcService } from '#kernel/rpc.ts'
import { isGrpc } from './grpc.ts'
import type { Shares } from './guards/shares.ts'
import { callerOf } from './mount.ts'
import { streamingUntilClosed } from './stream.ts'

const grpcTypes = ['application/grpc', 'application/grpc+proto']

/** Puts services that are spoken to by gRPC on the server. Their bodies are passed on as they come. */
export function mountServices(app: FastifyInstance, services: readonly RpcService[], shares: Shares): void {
  for (const { methods, serve } of services)
    for (const { path, stream } of methods)
      app.route({
        method: 'POST',
        url: path,
        config: { passesOn: grpcTypes },
        handler: async (request, reply) => {
          if (!isGrpc(request))
            throw new Refusal(
              'CONTENT_TYPE_UNSUPPORTED',
              'This is a gRPC service: call it by HTTP/2 with application/grpc.',
            )
          const { raw, headers } = request
          const tenant = request.tenant as Tenancy
          // An upload may take minutes, and is mostly waited for.
          const leave = stream ? () => {} : await shares.enter(tenant.id, callerOf(request))
          reply.raw.once('close', leave)
          if (stream) streamingUntilClosed((raw as unknown as Http2ServerRequest).stream)
          reply.hijack()
          const asked = {
            tenant,
            sourceAddress: request.sourceAddress,
            requestId: request.id,
            authorization: headers.authorization,
            agent: headers['user-agent'] ?? '',
          }
          serve(asked, raw as unknown as Http2ServerRequest, reply.raw as unknown as Http2ServerResponse)
        },
      })
}
