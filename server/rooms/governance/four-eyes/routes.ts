import { route } from '#authority/route.ts'
import { redactedUrl } from '#kernel/outgoing/secret-url.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, flag, listOf, message, nested, struct, text, timestamp } from '#kernel/wire.ts'
import { getChange, namesIn, setRule } from './actions.ts'
import type { Change } from './change.ts'
import { openBody } from './change.ts'
import { settingOperation } from './gate.ts'
import { changeKinds, type Rule, titles } from './kinds.ts'
import { listRules, type Named } from './store.ts'

const RuleMessage = message('four_eyes.v1.FourEyesRule', {
  kind: text(),
  displayName: text(),
  required: flag(),
  policyId: text(),
  changedByUserId: text(),
  changedAt: timestamp(),
})

const viewRule = (kind: Rule['kind'], rule: Rule | null) => ({
  kind,
  displayName: titles[kind],
  required: rule !== null,
  policyId: rule?.policyId ?? '',
  changedByUserId: rule?.changedBy ?? '',
  changedAt: rule?.changedAt ?? null,
})

const EffectMessage = message('four_eyes.v1.ChangeEffect', {
  message: text(),
  activity: text(),
  resources: listOf(
    message('four_eyes.v1.ChangeEffectResource', { type: text(), id: text(), name: text(), data: struct() }),
  ),
})

const ChangeMessage = message('four_eyes.v1.Change', {
  taskId: text(),
  kind: text(),
  operation: text(),
  path: struct(),
  body: struct(),
  authorUserId: text(),
  plan: listOf(EffectMessage),
  names: described(
    listOf(message('four_eyes.v1.ChangeName', { id: text(), type: text(), displayName: text() })),
    'Display names for the ids in the plan: users, roles, policies, apps and entitlements.',
  ),
  createdAt: timestamp(),
  carriedOutAt: timestamp(),
})

type Resource = { type?: string; uid?: string; name?: string; data?: { [name: string]: unknown } }

/** The body as it was sent, without the values in the queries of addresses. */
const shownBody = (body: unknown): { [name: string]: unknown } | null =>
  JSON.parse(
    JSON.stringify(body ?? null, (name, value: unknown) =>
      /url$/i.test(name) && typeof value === 'string' ? redactedUrl(value) : value,
    ),
  ) as { [name: string]: unknown } | null

const viewChange = (change: Change, body: unknown, names: readonly Named[]) => ({
  ...change,
  names,
  body: shownBody(body),
  authorUserId: change.authorId,
  plan: change.plan.map(({ message: said, activity, resources }) => ({
    message: said,
    activity,
    resources: (resources as Resource[]).map(({ type = '', uid = '', name = '', data = null }) => ({
      type,
      id: uid,
      name,
      data,
    })),
  })),
})

export const fourEyesRoutes: Route[] = [
  route({
    id: 'four_eyes.v1.FourEyes.List',
    at: 'GET /api/v1/four_eyes',
    summary: 'List the kinds of change, whether each needs approval, and under which policy.',
    rule: 'four-eyes.read',
    reply: message('four_eyes.v1.FourEyesListResponse', { list: listOf(RuleMessage) }),
    async handle(call) {
      const rules = new Map((await listRules(call.db, call.tenant.id)).map((rule) => [rule.kind, rule]))
      return { list: changeKinds.map((kind) => viewRule(kind, rules.get(kind) ?? null)) }
    },
  }),
  route({
    id: settingOperation,
    at: 'POST /api/v1/four_eyes/{kind}',
    summary:
      'Set whether a kind of change needs approval, and under which grant policy. If it already needs approval, this change needs approval too.',
    rule: 'four-eyes.change',
    body: message('four_eyes.v1.FourEyesSetRequest', { required: flag(), policyId: text() }),
    reply: message('four_eyes.v1.FourEyesSetResponse', { rule: nested(RuleMessage) }),
    async handle(call, { path, body }) {
      const wanted = { isRequired: body.required, policyId: body.policyId }
      const rule = await transact(call.db, (tx) => setRule(tx, call, path.kind, wanted))
      return { rule: viewRule(path.kind as Rule['kind'], rule) }
    },
  }),
  route({
    id: 'four_eyes.v1.Changes.Get',
    at: 'GET /api/v1/four_eyes/changes/{task_id}',
    summary: 'Get the change that waits in a task, and its effects. Everyone who can see the task can call this.',
    rule: 'own-tasks.read',
    reply: message('four_eyes.v1.ChangesGetResponse', { change: nested(ChangeMessage) }),
    async handle(call, { path }) {
      const change = await getChange(call, path.task_id)
      return { change: viewChange(change, openBody(call.seals, call.tenant.id, change), await namesIn(call, change)) }
    },
  }),
]
