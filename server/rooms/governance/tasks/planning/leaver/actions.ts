import type { Call } from '#kernel/routes.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { type ApprovalStep, findPolicies } from '#rooms/governance/policies/index.ts'
import { findApprovers } from '../../facts/approvers.ts'
import { carrying, carryingBy } from '../../facts/carriers.ts'
import { Facts } from '../../facts/facts.ts'
import { listPeople, listUsersInRole } from '../../facts/store.ts'
import { currentOf, replay } from '../../machine/fold.ts'
import type { Task } from '../../machine/record.ts'
import type { Assignee, Instance } from '../../machine/task.ts'
import { listEventsOf } from '../../store.ts'
import { type PolicyUse, thenOf, usersIn, usesOf } from './decide.ts'
import {
  type ConnectorWork,
  type CredentialRow,
  countAssigned,
  countManaged,
  countOwned,
  type DelegationRow,
  listAbout,
  listAssigned,
  listConnectorWork,
  listCredentials,
  listDelegations,
  listFourEyes,
  listLastOwned,
  listPoliciesWith,
  listProvisioned,
  type Ownership,
} from './store.ts'

/** The maximum number listed of each kind; the rest is counted if that is cheap. */
export const listedMax = 100
/** For how many steps the future deciders are determined. */
const foreseenMax = 50

export type OpenStep = { task: Task; stepId: string; others: number; afterwards: readonly Assignee[] | null }
export type LeaverPlan = {
  steps: { list: readonly OpenStep[]; all: number; only: number }
  about: readonly Task[]
  policies: readonly (PolicyUse & { able: number; afterwards: string })[]
  fourEyes: readonly string[]
  delegations: readonly DelegationRow[]
  owned: { last: readonly Ownership[]; all: number }
  provisioners: readonly { appId: string; id: string; name: string; able: number; afterwards: string }[]
  connectors: readonly ConnectorWork[]
  credentials: readonly CredentialRow[]
  managed: { all: number; only: number }
  isLastSuperAdministrator: boolean
}

/** Everything that depends on a person, and what happens to it when they are disabled. Nothing is changed. */
export async function planLeaving(tx: Tx, call: Call, userId: string): Promise<LeaverPlan> {
  const { id } = call.tenant
  const at = call.now()
  const policies = await usedIn(tx, call, userId)
  const administrators = await listUsersInRole(tx, id, 'system:owner', 2)
  return {
    steps: { list: await stepsOfLeaver(tx, call, userId), ...(await countAssigned(tx, id, userId)) },
    about: await listAbout(tx, id, userId, listedMax),
    policies,
    fourEyes: await listFourEyes(tx, id, [...new Set(policies.map(({ policyId }) => policyId))]),
    delegations: await listDelegations(tx, id, userId, at, listedMax),
    owned: { last: await listLastOwned(tx, id, userId, listedMax), all: await countOwned(tx, id, userId) },
    provisioners: await provisionersOf(tx, call, userId),
    connectors: await listConnectorWork(tx, id, userId, listedMax),
    credentials: await listCredentials(tx, id, userId, at, listedMax),
    managed: await countManaged(tx, id, userId),
    isLastSuperAdministrator: administrators.length === 1 && administrators[0] === userId,
  }
}

async function stepsOfLeaver(tx: Tx, call: Call, userId: string): Promise<OpenStep[]> {
  const tasks = await listAssigned(tx, call.tenant.id, userId, listedMax)
  const events = await listEventsOf(
    tx,
    call.tenant.id,
    tasks.slice(0, foreseenMax).map(({ id }) => id),
  )
  const facts = new Facts(tx, call)
  const found: OpenStep[] = []
  for (const task of tasks) {
    const state = replay(events.get(task.id) ?? [])
    const step = stepWithout(currentOf(state))
    const without = new Set([userId])
    const afterwards =
      task.others > 0 || !step ? null : (await findApprovers(facts, { task, state }, step, without)).assignees
    found.push({ task, stepId: task.stepId, others: task.others, afterwards })
  }
  return found
}

/** The step for which people are found again when its people change: see deciding/people.ts. */
function stepWithout(now: Instance | null): ApprovalStep | null {
  if (!now) return null
  const byHand = now.assignees.filter(({ why }) => why === 'reassigned' || why === 'escalated')
  const named = { by: 'users', userIds: byHand.map((each) => each.for ?? each.userId) } as const
  if (now.step.kind === 'approval') return byHand.length > 0 ? { ...now.step, approvers: named } : now.step
  if (now.step.kind !== 'provision') return null
  return byHand.length > 0 ? carrying(named) : carryingBy(now.step.provision?.manual ?? null)
}

async function usedIn(db: Reads, call: Call, userId: string): Promise<LeaverPlan['policies']> {
  const ids = await listPoliciesWith(db, call.tenant.id, userId, listedMax)
  const uses = (await findPolicies(db, call.tenant.id, ids)).flatMap((policy) => usesOf(policy, userId))
  const isAble = await ableAmong(
    db,
    call,
    uses.flatMap(({ others }) => others),
  )
  return uses.map((use) => {
    const able = use.others.filter(isAble).length
    return { ...use, able, afterwards: thenOf(use, able) }
  })
}

async function ableAmong(db: Reads, call: Call, ids: readonly string[]): Promise<(id: string) => boolean> {
  const people = await listPeople(db, call.tenant.id, ids, call.now())
  const able = new Set(people.filter(({ isEnabled }) => isEnabled).map(({ id }) => id))
  return (id) => able.has(id)
}

async function provisionersOf(db: Reads, call: Call, userId: string): Promise<LeaverPlan['provisioners']> {
  const rows = (await listProvisioned(db, call.tenant.id, userId, listedMax))
    .map((row) => ({ ...row, named: [...new Set([...usersIn(row.provisioner), ...usersIn(row.deprovisioner)])] }))
    .filter(({ named }) => named.includes(userId))
  const isAble = await ableAmong(
    db,
    call,
    rows.flatMap(({ named }) => named),
  )
  return rows.map(({ appId, id, name, named }) => {
    const able = named.filter((each) => each !== userId && isAble(each)).length
    return { appId, id, name, able, afterwards: thenOf({ use: 'provisioner', hasFallback: false }, able) }
  })
}
