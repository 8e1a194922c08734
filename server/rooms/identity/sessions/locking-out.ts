import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { SignInMethod } from '#rooms/foundation/systemlog/index.ts'
import { isAuthenticPasskey, listPasskeysOf } from './passkeys/store.ts'
import { chooseForUser } from './providers/choose.ts'

/** Refuses a change, in its transaction, after which its author could no longer sign in. */
export async function refuseLockingOut(tx: Tx, call: Call, methods: readonly SignInMethod[]): Promise<void> {
  if (methods.includes('link')) return
  if (methods.includes('oidc') && (await chooseForUser(call, tx, call, call.actor))) return
  const own = await listPasskeysOf(tx, call.tenant.id, call.actor.userId, { after: null, limit: 100 })
  const hasPasskey = own.some((passkey) => isAuthenticPasskey(call.seals, call.tenant.id, passkey))
  if (methods.includes('passkey') && hasPasskey) return
  throw new Refusal('POLICY_LOCKS_OUT', 'You would no longer be able to sign in: add a passkey first.')
}
