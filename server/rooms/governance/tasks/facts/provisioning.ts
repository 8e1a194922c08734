import { findWebhooks } from '#rooms/events/webhooks/index.ts'
import { profilesAppId } from '#rooms/foundation/writes/index.ts'
import { asksOwners, findEnforcer, type Way, wayOf } from '#rooms/governance/enforcement/index.ts'
import type { ProvisionPolicy } from '#rooms/records/apps/index.ts'
import { prepareRequest, type RequestAsked } from '#rooms/records/connectors/index.ts'
import type { ProvisionResult } from '../machine/advance.ts'
import { type Effect, recordAccess } from '../machine/effect.ts'
import { isLastProvision } from '../machine/fold.ts'
import { isAgain, type Snapshot, sourcesOf } from '../machine/record.ts'
import { carriersOf } from './carriers.ts'
import type { Facts } from './facts.ts'
import { accountIn, hasOtherReasons, listHeldBy } from './holdings-store.ts'

/** The result of provisioning, and the effects that carry it out. */
export type Provisioned = { result: ProvisionResult; effects: readonly Effect[] }

/**
 * What can be done at once is `done`, in the transaction of the decision; what needs people is assigned to them; what needs
 * another system is `under way`. Nothing is `done` unless that is certain.
 */
type Provisioner<W extends Way['is']> = (
  facts: Facts,
  of: Snapshot & { isLast: boolean },
  way: Extract<Way, { is: W }>,
) => Promise<Provisioned>

const failed = (error: string, effects: readonly Effect[] = []): Provisioned => ({
  result: { is: 'failed', error },
  effects,
})
const done = (...effects: Effect[]): Provisioned => ({ result: { is: 'done' }, effects })
const underWay = (...effects: Effect[]): Provisioned => ({ result: { is: 'under way' }, effects })

/**
 * Plans how the decision of a task is provisioned, in the way that its policy asks for. If that fails, the owners of the app
 * are asked to do it manually: approvals remain valid.
 */
export async function planProvisioning(
  facts: Facts,
  of: Snapshot,
  policy: ProvisionPolicy | null,
): Promise<Provisioned> {
  const isLast = isLastProvision(of.state, of.state.place)
  const planned = await provision(facts, { ...of, isLast }, wayOf(policy))
  if (planned.result.is !== 'failed') return planned
  return { ...planned, result: { ...planned.result, instead: await carriersOf(facts, of, null) } }
}

/** Another entitlement includes it: both are granted, or both are revoked, in one transaction. */
const delegated: Provisioner<'delegated'> = async (facts, { task, state, isLast }, { appId, entitlementId }) => {
  if (isAgain(task)) return failed('Another entitlement includes this access. Check that the app has that one.')
  const own = isLast ? [recordAccess({ task, state })] : []
  if (entitlementId === '') return done(...own)
  // The account belongs to the other app, so it is not the one in the task.
  const other = { ...task, appId, entitlementId, accountId: '' }
  const isThere = (await facts.terms({ appId, entitlementId })) !== null
  if (task.kind === 'revoke')
    return done(...(isThere ? [{ do: 'revoke included', of: other, with: task } as const] : []), ...own)
  if (!isThere) return failed('The entitlement that includes this access was deleted.')
  return done({ do: 'grant included', of: other, durationSeconds: state.durationSeconds }, ...own)
}

/** People provision it, according to the instructions, and report the result. */
const manual: Provisioner<'manual'> = async (facts, of, way) => ({
  result: { is: 'assigned', assignees: await carriersOf(facts, of, way.manual) },
  effects: [],
})

/** Another system grants or revokes the access, and reports the result: it is called when the step has begun. */
const webhook: Provisioner<'webhook'> = async ({ tx, tenantId }, _of, { webhookId }) => {
  const [found] = await findWebhooks(tx, tenantId, [webhookId])
  return found ? underWay() : failed('The webhook that provisions this was deleted.')
}

/** If a connector provisions the access, the records alone are not the access; otherwise recording it is enough. */
const automatic: Provisioner<'automatic'> = async (facts, of, way) =>
  (await byConnector(facts, of, way)) ?? (await byOwners(facts, of)) ?? (await recorded(facts, of))

/** The connector of the app grants or revokes the access, and reports the result. Null if no connector is concerned. */
async function byConnector(
  facts: Facts,
  { task, state, isLast }: Snapshot & { isLast: boolean },
  { isRequired, connectorId }: Extract<Way, { is: 'automatic' }>,
): Promise<Provisioned | null> {
  // Of several steps, only the last one determines that the access is held, or no longer held.
  if (!isLast) return null
  const isGrant = task.kind !== 'revoke'
  // The common case: approving then needs no further round trip.
  if (!isRequired && isGrant && task.accountId === '' && !(await facts.holdings(task)).hasConnector) return null
  const by = { isRequired, askedBy: task.createdBy, ...(connectorId !== '' && { connectorId }) }
  const { asked, effects } = isGrant ? await toGrant(facts, task) : { asked: await toRevoke(facts, task), effects: [] }
  const { tx, world } = facts
  const prepared = await prepareRequest(
    tx,
    world,
    asked.map((each) => ({ ...each, ...by })),
  )
  if (prepared.is === 'impossible') return failed(prepared.why, effects)
  if (prepared.requests.length === 0) return null
  const { generation, place } = state
  return underWay(...effects, { do: 'place with connector', requests: prepared.requests, of: task, generation, place })
}

type Target = Pick<RequestAsked, 'kind' | 'appId' | 'entitlementId' | 'accountId' | 'newAccountOf'>

async function toGrant(facts: Facts, task: Snapshot['task']): Promise<{ asked: Target[]; effects: Effect[] }> {
  const { appId, entitlementId } = task
  const { id: accountId } = task.accountId === '' ? accountIn(await facts.holdings(task)) : { id: task.accountId }
  if (accountId !== null) return { asked: [{ kind: 'grant', appId, entitlementId, accountId }], effects: [] }
  const newAccountOf = (await facts.subject(task.subjectUserId))?.displayName ?? ''
  return {
    asked: [{ kind: 'grant', appId, entitlementId, accountId: '', newAccountOf }],
    effects: [{ do: 'create account', of: task }],
  }
}

/** Revokes it from every account that holds it; but not in the app if something else, such as a rule, still grants it. */
async function toRevoke({ tx, tenantId, world }: Facts, task: Snapshot['task']): Promise<Target[]> {
  const { appId, entitlementId } = task
  const held = await listHeldBy(tx, tenantId, task, world.now())
  const sources: readonly string[] | null = sourcesOf(task)
  const asked: Target[] = []
  for (const accountId of new Set(held.map((each) => each.accountId))) {
    const ref = { appId, entitlementId, accountId }
    if (sources === null || !(await hasOtherReasons(tx, tenantId, ref, sources, world.now())))
      asked.push({ kind: 'revoke', ...ref })
  }
  return asked
}

/** The owners of the app do it, where no connector is concerned and they are to be asked. Null if they are not. */
async function byOwners(facts: Facts, of: Snapshot & { isLast: boolean }): Promise<Provisioned | null> {
  const { tx, world } = facts
  const { appId, entitlementId: id } = of.task
  // The common case: no more is read.
  if (!of.isLast || !(await facts.holdings(of.task)).mayAskOwners) return null
  if (!asksOwners(await findEnforcer(tx, world, { appId, id }, null))) return null
  // Something else, such as a rule, still grants it: it stays in the app.
  if (of.task.kind === 'revoke' && (await toRevoke(facts, of.task)).length === 0) return null
  return { result: { is: 'assigned', assignees: await carriersOf(facts, of, null) }, effects: [] }
}

/** For apps that are records only: the record of the grant is the access. */
async function recorded(facts: Facts, { task, state, isLast }: Snapshot & { isLast: boolean }): Promise<Provisioned> {
  // The record exists: it is the app that lacks the access.
  if (isAgain(task)) return failed('No connector provisions this in the app.')
  if (!isLast) return done()
  const { hasConnector } = await facts.holdings(task)
  const why = hasConnector || task.appId === profilesAppId ? '' : recordedWhy
  return { result: { is: 'done', why }, effects: [recordAccess({ task, state })] }
}

const recordedWhy = 'Recorded in Bailiwick. Nobody is asked to change the app.'

function provision(facts: Facts, of: Snapshot & { isLast: boolean }, way: Way): Promise<Provisioned> {
  if (way.is === 'delegated') return delegated(facts, of, way)
  if (way.is === 'manual') return manual(facts, of, way)
  if (way.is === 'webhook') return webhook(facts, of, way)
  if (way.is === 'automatic') return automatic(facts, of, way)
  return Promise.resolve(failed('No provisioner can provision this. Choose another one for the entitlement.'))
}
