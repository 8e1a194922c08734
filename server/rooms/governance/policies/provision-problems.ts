import type { FieldViolation } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { findUsers } from '#rooms/identity/users/index.ts'
import { findEntitlementsUncounted, type ProvisionPolicy } from '#rooms/records/apps/index.ts'
import { findLivingConnectors } from '#rooms/records/connectors/index.ts'
import { checkWritten } from './conditions.ts'
import { checkProvision } from './read.ts'
import { webhookProblems } from './webhook-problems.ts'

type Named<T> = { at: string; what: T }
type Names = {
  users: Named<string>[]
  entitlements: Named<{ appId: string; id: string }>[]
  expressions: Named<string>[]
  webhooks: Named<string>[]
  connectors: Named<string>[]
}

/**
 * Everything that is wrong with how access is to be provisioned: its form, and what it names. `kept`: the previous state.
 */
export async function provisionProblems(
  tx: Tx,
  call: Call,
  policy: ProvisionPolicy,
  { at, kept }: { at: string; kept: readonly ProvisionPolicy[] },
): Promise<FieldViolation[]> {
  const problems: FieldViolation[] = []
  checkProvision(policy, at, problems)
  if (problems.length > 0) return problems
  const { users, entitlements, expressions, webhooks, connectors } = namesIn(policy, at)
  const known = new Set(kept.flatMap((each) => namesIn(each, '').expressions).map(({ what }) => what))
  for (const { at: field, what: text } of expressions)
    await checkWritten(tx, call, { scope: 'approvers', text, field, isKept: known.has(text) })
  const ids = [...new Set(users.map(({ what }) => what))]
  const people = new Set((await findUsers(tx, call.tenant.id, ids, call.now())).map(({ id }) => id))
  const found = await findEntitlementsUncounted(
    tx,
    call.tenant.id,
    entitlements.map(({ what }) => what),
  )
  const alive = new Set(found.filter(({ deletedAt }) => deletedAt === null).map(({ appId, id }) => `${appId}/${id}`))
  return [
    ...users
      .filter(({ what }) => !people.has(what))
      .map(({ at: field, what }) => ({ field, description: `names a user who does not exist: ${what}` })),
    ...entitlements
      .filter(({ what }) => !alive.has(`${what.appId}/${what.id}`))
      .map(({ at: field, what }) => ({
        field,
        description: `names an entitlement that does not exist: ${what.id} of the app ${what.appId}`,
      })),
    ...(await webhookProblems(tx, call, webhooks)),
    ...(await connectorProblems(tx, call.tenant.id, connectors)),
  ]
}

async function connectorProblems(tx: Tx, tenantId: number, named: readonly Named<string>[]): Promise<FieldViolation[]> {
  const ids = named.map(({ what }) => what)
  const found = new Set(ids.length === 0 ? [] : await findLivingConnectors(tx, tenantId, ids))
  return named
    .filter(({ what }) => !found.has(what))
    .map(({ at: field, what }) => ({ field, description: `names a connector that does not exist: ${what}` }))
}

function namesIn(policy: ProvisionPolicy, at: string): Names {
  const users: Named<string>[] = []
  const entitlements: Named<{ appId: string; id: string }>[] = []
  const expressions: Named<string>[] = []
  const webhooks: Named<string>[] = []
  const connectors: Named<string>[] = []
  for (const [place, step] of (policy.multiStep?.provisionSteps ?? []).entries()) {
    const names = namesIn({ ...step, multiStep: null }, `${at}.multiStep.provisionSteps[${place}]`)
    users.push(...names.users)
    entitlements.push(...names.entitlements)
    expressions.push(...names.expressions)
    webhooks.push(...names.webhooks)
    connectors.push(...names.connectors)
  }
  const { manual, delegated, webhook, connector } = policy
  const { connectorId = '' } = connector?.defaultBehavior ?? {}
  if (connectorId !== '') connectors.push({ at: `${at}.connector.defaultBehavior.connectorId`, what: connectorId })
  if (webhook) webhooks.push({ at: `${at}.webhook.webhookId`, what: webhook.webhookId })
  if (delegated && delegated.entitlementId !== '')
    entitlements.push({ at: `${at}.delegated`, what: { appId: delegated.appId, id: delegated.entitlementId } })
  for (const what of manual?.userIds ?? []) users.push({ at: `${at}.manual.userIds`, what })
  for (const [kind, assignee] of Object.entries(manual?.assignee ?? {})) {
    if (!assignee) continue
    const field = `${at}.manual.assignee.${kind}`
    const named = assignee as Partial<Record<'userIds' | 'fallbackUserIds' | 'expressions', readonly string[]>>
    for (const what of named.userIds ?? []) users.push({ at: `${field}.userIds`, what })
    for (const what of named.fallbackUserIds ?? []) users.push({ at: `${field}.fallbackUserIds`, what })
    for (const [place, what] of (named.expressions ?? []).entries())
      expressions.push({ at: `${field}.expressions[${place}]`, what })
  }
  const group = manual?.assignee?.group
  if (group)
    entitlements.push({ at: `${at}.manual.assignee.group`, what: { appId: group.appId, id: group.appGroupId } })
  return { users, entitlements, expressions, webhooks, connectors }
}
