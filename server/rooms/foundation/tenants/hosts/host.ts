/** A host name of a tenant. Which one is current, `tenants` says. */
export type TenantHost = {
  host: string
  tenantId: number
  /** With its port. */
  domain: string
  /** As browsers write it; empty if it follows from the domain. */
  origin: string
  createdAt: Date
  /** When a browser opened its one-time address, and how that request was addressed as this server saw it. */
  reachedAt: Date | null
  reachedOrigin: string
  /** When a Super Administrator first signed in there with a passkey or the identity provider. */
  signedInAt: Date | null
  /** When another name took its place. */
  replacedAt: Date | null
  /** When it ends; null if nobody has said. */
  endsAt: Date | null
  endedAt: Date | null
  certificateAt: Date | null
}

export type NewHost = Pick<TenantHost, 'host' | 'domain' | 'origin'>
