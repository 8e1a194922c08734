import type { Call } from '#kernel/routes.ts'
import type { DpopAsked } from './check.ts'

export const tokenPath = '/auth/v1/token'

/** The proof that came with a token request, and what it must refer to. */
export const proofAtTokenEndpoint = ({ headers, origin }: Call): DpopAsked => ({
  proof: headers['dpop'] as string | undefined,
  method: 'POST',
  url: `${origin}${tokenPath}`,
})
