import type { May } from '#authority/proof.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Tx } from '#kernel/sql.ts'
import { accountNotFound, findAccounts } from '#rooms/records/accounts/index.ts'
import { entitlementNotFound } from '#rooms/records/apps/index.ts'
import { addressField } from '../facts/conditions.ts'
import { Facts } from '../facts/facts.ts'
import { againField, type TaskAbout } from '../machine/record.ts'
import { provisionRoute } from '../route.ts'
import { openOnly, originOf } from './actions.ts'

/**
 * Provisions recorded access in its app again: by the connector, else by people. It was decided before, so there is no
 * approval, and nothing is recorded. Returns the id of the task. The number is reserved before the transaction: see
 * numbers.ts.
 */
export async function provisionAgain(
  tx: Tx,
  call: May<'drift.resolve'>,
  number: number,
  { appId, entitlementId, accountId }: { appId: string; entitlementId: string; accountId: string },
): Promise<string> {
  const ref = { appId, id: accountId }
  const facts = new Facts(tx, call)
  const [[account], terms] = await Promise.all([
    findAccounts(tx, call.tenant.id, [ref]),
    facts.terms({ appId, entitlementId }),
  ])
  if (!terms) throw entitlementNotFound(appId, entitlementId)
  if (!account || account.deletedAt !== null) throw accountNotFound(ref)
  const subjectUserId = account.identityUserId ?? ''
  const subject = await facts.subject(subjectUserId)
  if (subjectUserId !== '' && !subject?.isEnabled)
    throw new Refusal('SUBJECT_DISABLED', 'Access cannot be granted to someone who is disabled or deleted.')
  const about: TaskAbout = {
    kind: 'grant',
    origin: originOf(call),
    createdBy: call.actor.userId,
    subjectUserId,
    appId,
    entitlementId,
    accountId,
    parentId: '',
    resourceTypeId: terms.resourceTypeId,
    resourceId: terms.resourceId,
    displayName: `Provision ${terms.entitlementName} again: ${subject?.displayName ?? account.displayName}`,
    description: 'This access is recorded, but missing in the app.',
    source: { [againField]: true, [addressField]: call.sourceAddress },
  }
  const opening = { number, about, by: call.actor.userId, route: async () => provisionRoute(terms) }
  return (await openOnly(facts, call, opening)).task.id
}
