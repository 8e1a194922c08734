import type { May } from '#authority/proof.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { alarm, type CauseBy, causeOf, change, record } from '#rooms/foundation/systemlog/index.ts'
import { touchedSession } from '../actions.ts'
import { findPolicy } from '../current-policy.ts'
import { forget } from '../end.ts'
import { findOidc } from '../oidc/provider.ts'
import { isAuthenticPasskey, listPasskeysOf } from '../passkeys/store.ts'
import type { Session } from '../session.ts'
import { deleteSessionsByOtherMethods } from '../store.ts'
import { policyProblems, type SignInPolicy } from './policy.ts'
import { putPolicy } from './store.ts'

const touchedMax = 100

type Setting = CauseBy<'sign-in-policy.change' | 'operator'>

/**
 * Sets how the people of a tenant sign in. Sessions that began with a method that is no longer allowed end; the lengths
 * apply to sessions that begin from now on.
 */
export async function setPolicy(tx: Tx, world: World, cause: Setting, wanted: SignInPolicy): Promise<Session[]> {
  const [first, ...others] = policyProblems(wanted)
  if (first) throw invalid(first, ...others)
  if (wanted.methods.length === 1 && wanted.methods[0] === 'oidc' && !(await findOidc(world, tx, cause)))
    throw invalid({ field: 'methods', description: 'no OpenID Connect provider is configured' })
  const before = await findPolicy(world, tx, cause)
  const { methods, idleSeconds, sessionSeconds, freshSeconds } = wanted
  const policy = { methods: [...new Set(methods)].toSorted(), idleSeconds, sessionSeconds, freshSeconds }
  await putPolicy(tx, world.seals, cause.tenant.id, { ...policy, updatedAt: world.now() })
  const ended = await deleteSessionsByOtherMethods(tx, cause.tenant.id, policy.methods)
  const told = {
    type: 'sign-in policy',
    id: cause.tenant.publicId,
    name: cause.tenant.domain,
    data: { policy, before },
  }
  const touched = [told, ...ended.slice(0, touchedMax).map(touchedSession)]
  const also = ended.length > 0 ? `, and ended ${ended.length} sessions` : ''
  await record(tx, world, cause, alarm(change(cause, 'update', `Set the sign-in policy${also}`, touched)))
  return ended
}

/** The same, for a caller who must not lock themselves out. */
export async function changePolicy(call: May<'sign-in-policy.change'>, wanted: SignInPolicy): Promise<void> {
  const ended = await transact(call.db, async (tx) => {
    const gone = await setPolicy(tx, call, causeOf(call), wanted)
    await refuseLockingOut(tx, call, wanted)
    return gone
  })
  forget(call, ...ended)
}

async function refuseLockingOut(tx: Tx, call: Call, { methods }: SignInPolicy): Promise<void> {
  if (methods.includes('link')) return
  if (methods.includes('oidc') && (await findOidc(call, tx, call))) return
  const own = await listPasskeysOf(tx, call.tenant.id, call.actor.userId, { after: null, limit: 100 })
  if (own.some((passkey) => isAuthenticPasskey(call.seals, call.tenant.id, passkey))) return
  throw new Refusal('POLICY_LOCKS_OUT', 'You would no longer be able to sign in: add a passkey first.')
}
