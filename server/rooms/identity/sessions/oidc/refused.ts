import { OutgoingFailed } from '#kernel/outgoing/failed.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { toSingleLine } from '#kernel/single-line.ts'
import { refuseSignIn } from '../begin.ts'
import type { NotLinked } from '../linked-identities/actions.ts'
import type { Person } from '../person.ts'

/** Why someone who returned from the provider is not signed in; the sign-in page has a message for each. */
export type Code =
  | 'OIDC_NOT_SET_UP'
  | 'OIDC_EXPIRED'
  | 'OIDC_REFUSED'
  | 'OIDC_UNREACHABLE'
  | 'IDENTITY_TAKEN'
  | 'OIDC_NOT_RECENT'
  | 'ADDRESS_DENIED'
  | NotLinked['code']

export type Refused = {
  code: Code
  reason: string
  user: Person | null
  /** What went wrong with the provider, for those who configure it. */
  detail?: string
}

export async function refuse(call: Call, { code, reason, user }: Refused): Promise<Refusal> {
  const refusal = await refuseSignIn(call, 'oidc', user, reason)
  const isOwn = refusal.reason === 'SIGN_IN_REFUSED'
  return isOwn ? new Refusal(refusal.reason, `Signing in failed: ${reason}.`, { metadata: { code } }) : refusal
}

// The error of a request that was not allowed, or failed, is the cause of the library's.
function whyOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof OutgoingFailed) return at.message
  return (error as Error).message
}

/** For the log of the server. Without its cause, which may contain the provider's response. */
export function unreachable(call: Call, error: unknown): Refused {
  const { name, code, message } = error as Error & { code?: string }
  call.log.warn({ requestId: call.requestId, error: { name, code, message } }, 'the OpenID Connect provider failed')
  return {
    code: 'OIDC_UNREACHABLE',
    reason: 'the OpenID Connect provider did not respond as expected',
    user: null,
    detail: toSingleLine(whyOf(error)).slice(0, 300),
  }
}
