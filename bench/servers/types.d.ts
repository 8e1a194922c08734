// It ships no types of its own, and the bench and the tests of signing in use few members of it.
declare module 'oidc-provider' {
  import type { RequestListener, Server } from 'node:http'
  export class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
    listen(port: number, host: string, listening: () => void): Server
  }
}
