// It ships no types of its own, and the bench uses three members of it.
declare module 'oidc-provider' {
  import type { Server } from 'node:http'
  export class Provider {
    constructor(issuer: string, configuration: object)
    listen(port: number, host: string, listening: () => void): Server
  }
}
