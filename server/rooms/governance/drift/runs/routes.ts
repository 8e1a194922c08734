import { route } from '#authority/route.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Call, Route } from '#kernel/routes.ts'
import {
  described,
  flag,
  int32,
  listOf,
  type MessageOf,
  message,
  nested,
  oneOf,
  required,
  text,
  timestamp,
} from '#kernel/wire.ts'
import { type Happening, happenings } from '../decide.ts'
import { type Chosen, itemsMax, planRemedy } from '../plan.ts'
import {
  appIdField,
  DriftMessage,
  DriftRef,
  driftOnWire,
  kindOf,
  kinds,
  refFields,
  refOf,
  remedyField,
  remedyName,
  remedyOf,
} from '../shapes.ts'
import { getRun, startRun, undoRun } from './actions.ts'
import { type Counts, type ItemState, itemStates, type Run } from './run.ts'
import { countItems, listRuns, listShownItems } from './store.ts'

const namedMax = 1_000
const sampleMax = 20

const chosenFields = {
  remedy: required(remedyField()),
  items: described(listOf(DriftRef, namedMax), 'These differences. Without any: all that match appId and kind.'),
  appId: appIdField(),
  kind: oneOf(kinds),
}

function chosenIn({ remedy, items, appId, kind }: MessageOf<typeof chosenFields>): Chosen {
  const of = remedyOf(remedy)
  if (items.length === 0) return { remedy: of, refs: null, appId: appId || null, kind: kindOf(kind) }
  if (appId !== '' || kindOf(kind) !== null)
    throw invalid({ field: 'items', description: 'cannot be given together with appId or kind' })
  return { remedy: of, refs: items.map(refOf) }
}

const happens: Readonly<Record<Happening, string>> = {
  record: 'recorded as a manual grant',
  'end record': 'grant removed',
  task: 'task to revoke it',
  connector: 'provisioned by the connector',
  people: 'task to provision it manually',
}

const itemStateNames = [
  'DRIFT_ITEM_UNSPECIFIED',
  'DRIFT_ITEM_WAITING',
  'DRIFT_ITEM_DONE',
  'DRIFT_ITEM_REFUSED',
  'DRIFT_ITEM_UNDONE',
  'DRIFT_ITEM_LEFT',
] as const

const RunMessage = message(
  'bailiwick.v1.DriftRun',
  {
    id: text(),
    remedy: remedyField(),
    state: described(text(), 'running, done, stopped, undoing or undone.'),
    error: described(text(), 'Why it was stopped.'),
    itemCount: int32(),
    waitingCount: int32(),
    doneCount: int32(),
    refusedCount: int32(),
    undoneCount: int32(),
    leftCount: described(int32(), 'How many could not be undone.'),
    userId: described(text(), 'Who started it.'),
    createdAt: timestamp(),
    endedAt: timestamp(),
    undoneByUserId: text(),
    undoneAt: timestamp(),
  },
  'A remedy that was applied to several differences.',
)

const none: Counts = { waiting: 0, done: 0, refused: 0, undone: 0, left: 0 }
const viewRun = (run: Run, { waiting, done, refused, undone, left }: Counts) => ({
  ...run,
  remedy: remedyName(run.remedy),
  itemCount: waiting + done + refused + undone + left,
  waitingCount: waiting,
  doneCount: done,
  refusedCount: refused,
  undoneCount: undone,
  leftCount: left,
  userId: run.askedBy,
  undoneByUserId: run.undoneBy,
})
const viewOne = async (call: Call, run: Run) =>
  viewRun(run, (await countItems(call.db, call.tenant.id, [run.id])).get(run.id) ?? none)

export const driftRunRoutes: Route[] = [
  route({
    id: 'bailiwick.v1.Drift.Plan',
    at: 'POST /api/v1/drift/plan',
    summary: 'What applying a remedy to several differences would do. Nothing is changed.',
    rule: 'drift.resolve',
    body: message('bailiwick.v1.PlanDriftRequest', chosenFields),
    reply: message('bailiwick.v1.PlanDriftResponse', {
      fingerprint: described(text(), 'Identifies everything that the plan would do. Required to apply it.'),
      count: described(int32(), 'To how many differences it would be applied.'),
      outcomes: listOf(message('bailiwick.v1.PlannedDriftOutcome', { happens: text(), count: int32() })),
      refused: described(
        listOf(message('bailiwick.v1.RefusedDrift', { reason: text(), count: int32() })),
        'The differences to which it cannot be applied, and why.',
      ),
      apps: listOf(
        message('bailiwick.v1.PlannedDriftOfApp', {
          appId: text(),
          appDisplayName: text(),
          count: int32(),
          grantCount: described(int32(), 'How many grants the app has, counted as far as needed here.'),
          needsConfirmation: described(flag(), 'More than 20% of the grants of the app would be revoked or removed.'),
        }),
      ),
      needsConfirmation: flag(),
      isMore: described(flag(), `More match than the ${itemsMax} that can be processed at the same time.`),
      sample: described(listOf(DriftMessage), `The first ${sampleMax}.`),
    }),
    async handle(call, { body }) {
      const { items, refused, shares, isMore, fingerprint } = await planRemedy(call, chosenIn(body))
      const byReason = Map.groupBy(refused, ({ why }) => why)
      return {
        fingerprint,
        isMore,
        count: items.length,
        outcomes: happenings.flatMap((each) => {
          const { length: count } = items.filter((item) => item.happens === each)
          return count === 0 ? [] : [{ happens: happens[each], count }]
        }),
        refused: [...byReason].map(([reason, { length: count }]) => ({ reason, count })),
        apps: shares.map(({ appId, appName, count, held, isTooMuch }) => ({
          appId,
          appDisplayName: appName,
          count,
          grantCount: held,
          needsConfirmation: isTooMuch,
        })),
        needsConfirmation: shares.some(({ isTooMuch }) => isTooMuch),
        sample: items.slice(0, sampleMax).map(({ drift }) => driftOnWire(drift)),
      }
    },
  }),
  route({
    id: 'bailiwick.v1.DriftRuns.Create',
    at: 'POST /api/v1/drift/runs',
    summary:
      'Apply a remedy to several differences, as a plan showed it. A job does it; each succeeds or fails independently.',
    rule: 'drift.resolve',
    body: message('bailiwick.v1.CreateDriftRunRequest', {
      ...chosenFields,
      fingerprint: required(described(text({ maxLength: 100 }), 'Of the plan.'), 'must be the fingerprint of a plan'),
      isConfirmed: described(flag(), 'Set to true to revoke or remove more than 20% of the grants of an app.'),
    }),
    reply: message('bailiwick.v1.CreateDriftRunResponse', { run: nested(RunMessage) }),
    async handle(call, { body }) {
      return { run: await viewOne(call, await startRun(call, chosenIn(body), body)) }
    },
  }),
  route({
    id: 'bailiwick.v1.DriftRuns.List',
    at: 'GET /api/v1/drift/runs',
    summary: 'List the remedies that were applied, newest first. They are kept for 90 days.',
    rule: 'drift.read',
    paged: true,
    reply: message('bailiwick.v1.ListDriftRunsResponse', { list: listOf(RunMessage), nextPageToken }),
    async handle(call, { page }) {
      const runs = await listRuns(call.db, call.tenant.id, page)
      const counts = await countItems(
        call.db,
        call.tenant.id,
        runs.map(({ id }) => id),
      )
      return page.cut(
        runs,
        ({ id }) => [id],
        (run) => viewRun(run, counts.get(run.id) ?? none),
      )
    },
  }),
  route({
    id: 'bailiwick.v1.DriftRuns.Get',
    at: 'GET /api/v1/drift/runs/{run_id}',
    summary: 'Get a remedy that was applied, and its progress.',
    rule: 'drift.read',
    reply: message('bailiwick.v1.GetDriftRunResponse', { run: nested(RunMessage) }),
    handle: async (call, { path }) => ({ run: await viewOne(call, await getRun(call, path.run_id)) }),
  }),
  route({
    id: 'bailiwick.v1.DriftRuns.ListItems',
    at: 'GET /api/v1/drift/runs/{run_id}/items',
    summary: 'List the outcome for each difference that a remedy was applied to.',
    rule: 'drift.read',
    paged: true,
    query: message('bailiwick.v1.ListDriftRunItemsQuery', { state: oneOf(itemStateNames) }),
    reply: message('bailiwick.v1.ListDriftRunItemsResponse', {
      list: listOf(
        message('bailiwick.v1.DriftRunItem', {
          ...refFields,
          state: oneOf(itemStateNames),
          error: described(text(), 'Why nothing was done, or why it could not be undone.'),
          taskId: described(text(), 'The task that was created.'),
          appDisplayName: text(),
          entitlementDisplayName: text(),
          appUserDisplayName: text(),
        }),
      ),
      nextPageToken,
    }),
    async handle(call, { path, query, page }) {
      const state: ItemState | null = itemStates[itemStateNames.indexOf(query.state) - 1] ?? null
      const of = { runId: path.run_id, state }
      const rows = await listShownItems(call.db, call.tenant.id, of, page)
      if (rows.length === 0) await getRun(call, path.run_id)
      return page.cut(
        rows,
        ({ appId, entitlementId, accountId }) => [appId, entitlementId, accountId],
        (each) => ({
          appId: each.appId,
          appEntitlementId: each.entitlementId,
          appUserId: each.accountId,
          state: itemStateNames[itemStates.indexOf(each.state) + 1] ?? itemStateNames[0],
          error: each.error,
          taskId: each.taskId,
          appDisplayName: each.appName,
          entitlementDisplayName: each.entitlementName,
          appUserDisplayName: each.accountName,
        }),
      )
    },
  }),
  route({
    id: 'bailiwick.v1.DriftRuns.Undo',
    at: 'POST /api/v1/drift/runs/{run_id}/undo',
    summary: 'Undo a remedy: grants are restored, and open tasks are closed. A job does it.',
    rule: 'drift.resolve',
    body: message('bailiwick.v1.UndoDriftRunRequest', {}),
    reply: message('bailiwick.v1.UndoDriftRunResponse', { run: nested(RunMessage) }),
    handle: async (call, { path }) => ({ run: await viewOne(call, await undoRun(call, path.run_id)) }),
  }),
]
