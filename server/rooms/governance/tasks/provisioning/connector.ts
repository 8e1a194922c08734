import { isAutomatic, isByConnector, type ProvisionPolicy } from '#rooms/records/apps/index.ts'
import { provisionRequest, type Requested } from '#rooms/records/connectors/index.ts'
import type { ProvisionResult } from '../machine/advance.ts'
import type { Provisioner, Provisioning } from './provisioner.ts'
import { accountOf, isOf, sourcesOf } from './records.ts'
import { hasOtherReasons, insertWait, listHeldBy } from './store.ts'

/** The connector of the app gives or removes the access, and says what became of it. */
export const connector: Provisioner = {
  kind: 'connector',
  takes: isAutomatic,
  async begin(what, policy): Promise<ProvisionResult | null> {
    // Only the last of several steps says that the access is held, or held no more.
    if (!what.isLast) return null
    const { task, holdings } = what
    // As mostly: then approving costs no further round trip.
    const by = choiceOf(policy)
    if (!by.isRequired && holdings && isOf(holdings, task) && !holdings.hasConnector) return null
    const requested = task.kind === 'revoke' ? await revoke(what, by) : await grant(what, by)
    if (requested.is === 'impossible') return { is: 'failed', error: requested.why }
    for (const each of requested.tasks) await insertWait(what.tx, what.call.tenant.id, what.task.id, what.state, each)
    return requested.tasks.length > 0 ? { is: 'under way' } : null
  },
}

type Choice = { isRequired: boolean; connectorId?: string }
const choiceOf = (policy: ProvisionPolicy | null): Choice => {
  const { connectorId = '' } = policy?.connector?.defaultBehavior ?? {}
  return { isRequired: isByConnector(policy), ...(connectorId !== '' && { connectorId }) }
}

async function grant(what: Provisioning, by: Choice): Promise<Requested> {
  const { tx, call, task } = what
  const { id: accountId } = await accountOf(what)
  const { appId, entitlementId, createdBy } = task
  return provisionRequest(tx, call, [{ kind: 'grant', appId, entitlementId, accountId, askedBy: createdBy, ...by }])
}

/** From every account that holds it; but not in the app where something else, such as a rule, still gives it. */
async function revoke({ tx, call, task }: Provisioning, by: Choice): Promise<Requested> {
  const { appId, entitlementId, createdBy } = task
  const held = await listHeldBy(tx, call.tenant.id, task, call.now())
  const sources: readonly string[] | null = sourcesOf(task)
  const refs: { appId: string; entitlementId: string; accountId: string }[] = []
  for (const accountId of new Set(held.map((each) => each.accountId))) {
    const ref = { appId, entitlementId, accountId }
    if (sources === null || !(await hasOtherReasons(tx, call.tenant.id, ref, sources, call.now()))) refs.push(ref)
  }
  return provisionRequest(
    tx,
    call,
    refs.map((ref) => ({ kind: 'revoke', ...ref, askedBy: createdBy, ...by })),
  )
}
