import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '#kernel/refusals.ts'
import { stranger, type Tenancy } from '#kernel/routes.ts'
import type { RpcAdmitted, RpcService } from '#kernel/rpc.ts'
import { isGrpc } from './grpc.ts'
import { clientGone, isGone } from './guards/gone.ts'
import type { Leave, Shares } from './guards/shares.ts'
import { callerOf } from './mount.ts'
import { streamingUntilClosed } from './stream.ts'

const grpcTypes = ['application/grpc', 'application/grpc+proto']

/** Per client: a connector has one upload at a time, and one more if it begins again. */
const streamsMax = 8

/** Mounts services that are called by gRPC. Bodies of admitted callers are passed on as they arrive. */
export function mountServices(app: FastifyInstance, services: readonly RpcService[], shares: Shares): void {
  const streams = countStreams()
  for (const service of services)
    for (const { id, path, stream } of service.methods)
      app.route({
        method: 'POST',
        url: path,
        config: { passesOn: grpcTypes, rpc: { id, service } },
        handler: async (request, reply) => {
          const { raw, admitted } = request
          if (!admitted) throw new Error('a call that was not admitted')
          const [tenantId, caller] = [(request.tenant as Tenancy).id, callerOf(request)]
          // An upload may take minutes, and mostly waits for data.
          const leave = stream ? streams.enter(`${tenantId} ${caller}`) : await shares.enter(tenantId, caller)
          if (isGone(reply.raw)) {
            leave()
            throw clientGone()
          }
          reply.raw.once('close', leave)
          if (stream) streamingUntilClosed((raw as unknown as Http2ServerRequest).stream)
          reply.hijack()
          admitted.serve(raw as unknown as Http2ServerRequest, reply.raw as unknown as Http2ServerResponse)
        },
      })
}

/** Before the body is read: nothing is decoded for strangers. */
export async function admitToService(request: FastifyRequest, service: RpcService): Promise<void> {
  if (!isGrpc(request))
    throw new Refusal('CONTENT_TYPE_UNSUPPORTED', 'This is a gRPC service: call it by HTTP/2 with application/grpc.')
  const { headers } = request
  request.admitted = await service.admit({
    tenant: request.tenant as Tenancy,
    sourceAddress: request.sourceAddress,
    requestId: request.id,
    authorization: headers.authorization,
    agent: headers['user-agent'] ?? '',
  })
  request.actor = { ...stranger, clientId: request.admitted.clientId }
}

function countStreams() {
  const open = new Map<string, number>()
  return {
    enter(of: string): Leave {
      const count = open.get(of) ?? 0
      if (count >= streamsMax)
        throw new Refusal('TOO_MANY_REQUESTS', `This client has ${streamsMax} streams open; end one, then try again.`)
      open.set(of, count + 1)
      return () => {
        const left = (open.get(of) ?? 1) - 1
        if (left > 0) open.set(of, left)
        else open.delete(of)
      }
    },
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    rpc?: { id: string; service: RpcService }
  }
  interface FastifyRequest {
    admitted: RpcAdmitted | null
  }
}
