import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Tenancy } from './routes.ts'

/** What is known of a call before its service reads it. */
export type RpcAsked = {
  tenant: Tenancy
  sourceAddress: string
  requestId: string
  authorization: string | undefined
  agent: string
}

/** A service that is spoken to by gRPC, on the same port as the routes. It finds out by itself who calls. */
export type RpcService = {
  /** Of a `stream` the request may take as long as its messages keep coming. */
  methods: readonly { path: string; stream: boolean }[]
  serve(asked: RpcAsked, request: Http2ServerRequest, response: Http2ServerResponse): void
}
