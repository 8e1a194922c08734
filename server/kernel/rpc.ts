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

/** A service that is called by gRPC, on the same port as the routes. */
export type RpcService = {
  /** With `stream`, the request may take as long as its messages keep coming. */
  methods: readonly { id: string; path: string; stream: boolean }[]
  /** Admits a caller, or refuses. Called before a byte of the body is read: it has the headers only. */
  admit(asked: RpcAsked): Promise<RpcAdmitted>
}

export type RpcAdmitted = {
  /** The client whose share of the server the call uses. */
  clientId: string
  serve(request: Http2ServerRequest, response: Http2ServerResponse): void
}
