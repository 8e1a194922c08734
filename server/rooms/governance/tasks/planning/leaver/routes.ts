import { lacking, may, type Plain } from '#authority/may.ts'
import { route } from '#authority/route.ts'
import type { Call, Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, flag, int32, int64, list, listOf, message, nested, text, timestamp } from '#kernel/wire.ts'
import { getUser } from '#rooms/identity/users/index.ts'
import { type LeaverPlan, listedMax, planLeaving } from './actions.ts'

const StepMessage = message('bailiwick.v1.LeaverOpenStep', {
  taskId: text(),
  numericId: int64(),
  displayName: text(),
  policyStepId: text(),
  others: described(int32(), 'How many other people can decide the step.'),
  afterwardsUserIds: described(list(text()), 'If nobody else can: who decides it afterwards; the first 20.'),
  afterwards: text(),
})
const TaskMessage = message('bailiwick.v1.LeaverRequest', {
  taskId: text(),
  numericId: int64(),
  displayName: text(),
  afterwards: text(),
})
const PolicyMessage = message('bailiwick.v1.LeaverPolicyUse', {
  policyId: text(),
  policyName: text(),
  stepKey: text(),
  place: described(int32(), 'The position of the step in its list, starting at 1.'),
  use: described(text(), 'approver, fallback, reassignee, escalation or provisioner.'),
  othersAble: int32(),
  afterwards: text(),
})
const DelegationMessage = message('bailiwick.v1.LeaverDelegation', {
  userId: text(),
  delegatedUserId: text(),
  startAt: timestamp(),
  expirationAt: timestamp(),
  afterwards: text(),
})
const OwnershipMessage = message('bailiwick.v1.LeaverOwnership', {
  kind: described(text(), 'app, entitlement, resource, account or connector.'),
  appId: text(),
  appResourceTypeId: text(),
  id: text(),
  roleSlug: text(),
  displayName: text(),
  afterwards: text(),
})
const ProvisionerMessage = message('bailiwick.v1.LeaverProvisioner', {
  appId: text(),
  appEntitlementId: text(),
  displayName: text(),
  othersAble: int32(),
  afterwards: text(),
})
const CredentialMessage = message('bailiwick.v1.LeaverCredential', {
  id: text(),
  displayName: text(),
  lastUsedAt: timestamp(),
  expiresAt: timestamp(),
})

const ConnectorWorkMessage = message('bailiwick.v1.LeaverConnectorTask', {
  taskId: text(),
  appId: text(),
  appDisplayName: text(),
  kind: described(text(), 'grant, revoke, create_account or delete_account.'),
  state: described(text(), 'queued, with the connector or unknown.'),
  appEntitlementId: text(),
  displayName: text(),
  afterwards: text(),
})

const first = `The first ${listedMax}.`
const LeaverMessage = message('bailiwick.v1.LeaverPlan', {
  userId: text(),
  openSteps: described(
    listOf(StepMessage),
    `Steps that wait for this person; those that nobody else can decide come first. ${first}`,
  ),
  openStepsCount: int32(),
  openStepsOnlyTheirs: int32(),
  requests: described(listOf(TaskMessage), `Open requests for this person, and changes that they requested. ${first}`),
  policies: described(listOf(PolicyMessage), `Where policies name this person. Of the first ${listedMax} policies.`),
  fourEyesKinds: described(list(text()), 'Kinds of change that wait for approval under one of these policies.'),
  delegations: listOf(DelegationMessage),
  lastOwnerOf: described(listOf(OwnershipMessage), `Objects that nobody else owns. ${first}`),
  ownershipsCount: int32(),
  provisioners: described(
    listOf(ProvisionerMessage),
    `Entitlements that name this person to carry out requests. ${first}`,
  ),
  connectorTasks: described(
    listOf(ConnectorWorkMessage),
    `Pending tasks of connectors for accounts of this person. ${first}`,
  ),
  credentials: described(listOf(CredentialMessage), `API credentials, which stop working. ${first}`),
  peopleManaged: int32(),
  peopleManagedOnlyByThem: described(int32(), 'Manager steps of these people go to fallbacks or Super Administrators.'),
  lastSuperAdministrator: described(
    flag(),
    'Whether they are the only Super Administrator: then they cannot be disabled.',
  ),
  hiddenParts: described(list(text()), 'Parts that are omitted because you do not have the listed permissions.'),
})

const afterwardsOf = ({ others, afterwards: people }: LeaverPlan['steps']['list'][number]): string => {
  if (others > 0) return `${others} other ${others === 1 ? 'person' : 'people'} can decide it.`
  if (people === null) return 'It is assigned again.'
  if (people.length === 0) return 'The task gets stuck: nobody else can decide it.'
  const why = people[0]?.why
  if (why === 'superAdministrator') return 'It goes to Super Administrators.'
  return why === 'fallback' ? 'It goes to the fallback of the step.' : 'It goes to other people whom the policy names.'
}

const delegationThen = (isOwn: boolean): string =>
  isOwn ? 'The delegate no longer decides for this person.' : 'The person whose delegate they were decides again.'

/** Disabling someone does not end access: what was decided stays decided, until it is revoked. */
const connectorThen = ({ kind, state }: LeaverPlan['connectors'][number]): string => {
  if (state === 'unknown') return 'The next sync shows whether it was done.'
  return kind === 'grant' || kind === 'create_account'
    ? 'The connector still does it, unless the access is revoked or its request is cancelled first.'
    : 'The connector still does it.'
}

function present(call: Call, plan: LeaverPlan, userId: string) {
  const when = <T>(action: Plain, of: readonly T[]): readonly T[] => (may(call.actor, action) ? of : [])
  const count = (action: Plain, of: number): number => (may(call.actor, action) ? of : 0)
  const shownMax = 20
  const needed: Plain[] = [
    'tasks.read',
    'policies.read',
    'owners.read',
    'entitlements.read',
    'apps.read',
    'credentials.read',
    'four-eyes.read',
  ]
  return {
    userId,
    openSteps: when('tasks.read', plan.steps.list).map((step) => ({
      taskId: step.task.id,
      numericId: step.task.number,
      displayName: step.task.displayName,
      policyStepId: step.stepId,
      others: step.others,
      afterwardsUserIds: (step.afterwards ?? []).slice(0, shownMax).map((each) => each.userId),
      afterwards: afterwardsOf(step),
    })),
    openStepsCount: count('tasks.read', plan.steps.all),
    openStepsOnlyTheirs: count('tasks.read', plan.steps.only),
    requests: when('tasks.read', plan.about).map(({ id, number, displayName }) => ({
      taskId: id,
      numericId: number,
      displayName,
      afterwards: 'It is cancelled.',
    })),
    policies: when('policies.read', plan.policies).map(
      ({ able, policyId, policyName, stepKey, place, use, afterwards }) => ({
        policyId,
        policyName,
        stepKey,
        place,
        use,
        afterwards,
        othersAble: able,
      }),
    ),
    fourEyesKinds: when('four-eyes.read', plan.fourEyes),
    delegations: plan.delegations.map((each) => ({ ...each, afterwards: delegationThen(each.userId === userId) })),
    lastOwnerOf: when('owners.read', plan.owned.last).map(({ typeId, name, ...owned }) => ({
      ...owned,
      appResourceTypeId: typeId,
      displayName: name,
      afterwards: 'No enabled user owns it: steps for its owners go to fallbacks or Super Administrators.',
    })),
    ownershipsCount: count('owners.read', plan.owned.all),
    provisioners: when('entitlements.read', plan.provisioners).map(({ appId, id, name, able, afterwards }) => ({
      appId,
      appEntitlementId: id,
      displayName: name,
      othersAble: able,
      afterwards,
    })),
    connectorTasks: when('apps.read', plan.connectors).map((each) => ({
      taskId: each.id,
      appId: each.appId,
      appDisplayName: each.appName,
      kind: each.kind,
      state: each.state === 'leased' ? 'with the connector' : each.state,
      appEntitlementId: each.entitlementId,
      displayName: each.entitlementName,
      afterwards: connectorThen(each),
    })),
    credentials: when('credentials.read', plan.credentials),
    peopleManaged: plan.managed.all,
    peopleManagedOnlyByThem: plan.managed.only,
    lastSuperAdministrator: plan.isLastSuperAdministrator,
    hiddenParts: lacking(call.actor, needed),
  }
}

export const leaverRoutes: Route[] = [
  route({
    id: 'bailiwick.v1.LeaverPlans.Get',
    at: 'GET /api/v1/users/{id}/leaver_plan',
    summary: 'List everything that depends on a person, and what happens to it when they are disabled.',
    rule: 'leavers.read',
    reply: message('bailiwick.v1.GetLeaverPlanResponse', { plan: nested(LeaverMessage) }),
    async handle(call, { path }) {
      const { id } = await getUser(call, path.id)
      const plan = await transact(call.db, (tx) => planLeaving(tx, call, id))
      return { plan: present(call, plan, id) }
    },
  }),
]
