/** What came to a trust: one token, or several that are alike. */
export type Attempt = {
  id: string
  credentialId: string
  fingerprint: Buffer
  isAdmitted: boolean
  step: string
  reason: string
  detail: string
  /** JSON text; null where the token was not signed by the issuer. */
  claims: string | null
  omitted: readonly string[]
  sourceAddress: string
  times: number
  firstAt: Date
  lastAt: Date
}
