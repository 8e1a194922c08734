import type { May } from '#authority/proof.ts'
import { invalid } from '#kernel/refusals.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { alarm, type CauseBy, causeOf, change, record } from '#rooms/foundation/systemlog/index.ts'
import { touchedSession } from '../actions.ts'
import { findPolicy } from '../current-policy.ts'
import { forget } from '../end.ts'
import { refuseLockingOut } from '../locking-out.ts'
import { listProviders } from '../providers/find.ts'
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
  if (wanted.methods.length === 1 && wanted.methods[0] === 'oidc' && !(await hasEnabled(tx, world, cause)))
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

const hasEnabled = async (tx: Tx, world: World, cause: Setting): Promise<boolean> =>
  (await listProviders(world, tx, cause)).some(({ isEnabled }) => isEnabled)

/** The same, for a caller who must not lock themselves out. */
export async function changePolicy(call: May<'sign-in-policy.change'>, wanted: SignInPolicy): Promise<void> {
  const ended = await transact(call.db, async (tx) => {
    const gone = await setPolicy(tx, call, causeOf(call), wanted)
    await refuseLockingOut(tx, call, wanted.methods)
    return gone
  })
  forget(call, ...ended)
}
