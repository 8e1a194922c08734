import { mayEverywhere } from '#authority/may.ts'
import { seesEveryone } from '#authority/sight/index.ts'
import type { Call } from '#kernel/routes.ts'
import { described, flag, int32, list, listOf, message, oneOf, required, text } from '#kernel/wire.ts'
import { nameThings } from '#rooms/overview/names/index.ts'
import type { Applying, Bulk, Item, Result } from './run.ts'
import { listAppNames } from './store.ts'

/** How many items can be changed at once. */
export const itemsMax = 1_000

export const idField = () => text({ maxLength: 64 })
export const idsField = () => described(list(idField(), itemsMax), `At most ${itemsMax}.`)

export const applyFields = {
  fingerprint: required(
    described(text({ maxLength: 200 }), 'The fingerprint of the plan: nothing is done if an outcome has changed.'),
    'must be the fingerprint of a plan',
  ),
  reason: required(
    described(text({ maxLength: 1_000 }), 'The reason, or a ticket number. It is recorded in the system log.'),
  ),
  isConfirmed: described(flag(), 'Set to true to confirm the removal of more than 20% of all items.'),
}

const outcomes = [
  'BULK_OUTCOME_UNSPECIFIED',
  'BULK_OUTCOME_CHANGED',
  'BULK_OUTCOME_UNCHANGED',
  'BULK_OUTCOME_REFUSED',
] as const

const refFields = {
  appId: text(),
  id: described(text(), 'The user, account, app or entitlement.'),
  appEntitlementId: described(text(), 'Of a grant.'),
  appUserId: described(text(), 'Of a grant.'),
}
type WireRef = { readonly [K in keyof typeof refFields]?: string }
const noRef = { appId: '', id: '', appEntitlementId: '', appUserId: '' }

const BulkItem = message(
  'bailiwick.v1.BulkItem',
  {
    ...refFields,
    displayName: described(text(), 'What it is called; empty where the caller may not read all names.'),
    outcome: oneOf(outcomes),
    error: described(text(), 'Why it is refused.'),
    note: described(text(), 'A note about the effect.'),
  },
  'One of several items that are changed together.',
)

const resultFields = {
  changedCount: int32(),
  unchangedCount: described(int32(), 'Already as requested.'),
  refusedCount: int32(),
  items: listOf(BulkItem),
  apps: listOf(
    message('bailiwick.v1.BulkItemsOfApp', {
      appId: text(),
      appDisplayName: text(),
      changedCount: int32(),
      unchangedCount: int32(),
      refusedCount: int32(),
    }),
  ),
}

export const PlanReply = message('bailiwick.v1.BulkPlan', {
  ...resultFields,
  fingerprint: described(text(), 'Required to apply the plan.'),
  needsConfirmation: described(flag(), 'More than 20% of all items would be removed: isConfirmed is required.'),
  removals: described(
    listOf(
      message('bailiwick.v1.BulkRemoval', {
        appId: described(text(), 'Empty for users.'),
        displayName: text(),
        count: int32(),
        heldCount: described(int32(), 'How many there are, counted as far as needed here.'),
        needsConfirmation: flag(),
      }),
    ),
    'How much of an app, or of all users, would be removed or disabled.',
  ),
})

export const ApplyReply = message('bailiwick.v1.BulkResult', {
  ...resultFields,
  bulkActionId: described(text(), 'Identifies all changes of the request in the system log.'),
})

const outcomeName = (outcome: Item<unknown>['outcome']) =>
  `BULK_OUTCOME_${outcome.toUpperCase() as Uppercase<typeof outcome>}` as const

export type Viewing<Ref> = { onWire: (ref: Ref) => WireRef; appOf: Bulk<Ref>['appOf'] }

/** Names of items. An account may have the name of its person: only callers who may read all names see them. */
async function namesFor(call: Call, refs: readonly Required<WireRef>[]) {
  const seesNames = seesEveryone(call.actor) && mayEverywhere(call.actor, 'entitlements.read')
  const ids = refs.flatMap(({ id, appEntitlementId, appUserId }) => [id, appEntitlementId, appUserId])
  const wanted = seesNames ? [...new Set(ids)].filter((id) => id !== '') : []
  const named = new Map((await nameThings(call.db, call.tenant.id, wanted)).map((each) => [each.id, each.displayName]))
  return ({ id, appEntitlementId, appUserId }: Required<WireRef>): string =>
    (id === '' ? [appUserId, appEntitlementId] : [id]).flatMap((each) => named.get(each) || []).join(': ')
}

async function viewResult<Ref>(call: Call, { items }: Result<Ref>, { onWire, appOf }: Viewing<Ref>) {
  const countOf = (some: readonly Item<Ref>[], outcome: Item<Ref>['outcome']): number =>
    some.filter((item) => item.outcome === outcome).length
  const countsOf = (some: readonly Item<Ref>[]) => ({
    changedCount: countOf(some, 'changed'),
    unchangedCount: countOf(some, 'unchanged'),
    refusedCount: countOf(some, 'refused'),
  })
  const byApp = Map.groupBy(items, ({ ref }) => appOf(ref))
  byApp.delete('')
  const nameOf = await namesFor(
    call,
    items.map(({ ref }) => ({ ...noRef, ...onWire(ref) })),
  )
  const names = await listAppNames(call.db, call.tenant.id, [...byApp.keys()])
  return {
    ...countsOf(items),
    items: items.map(({ ref, outcome, error, note }) => ({
      ...noRef,
      ...onWire(ref),
      displayName: nameOf({ ...noRef, ...onWire(ref) }),
      outcome: outcomeName(outcome),
      error,
      note,
    })),
    apps: [...byApp].map(([appId, own]) => ({ appId, appDisplayName: names.get(appId) ?? '', ...countsOf(own) })),
  }
}

export async function viewPlan<Ref>(call: Call, result: Result<Ref>, viewing: Viewing<Ref>) {
  return {
    ...(await viewResult(call, result, viewing)),
    fingerprint: result.fingerprint,
    needsConfirmation: result.shares.some(({ isMuch }) => isMuch),
    removals: result.shares.map(({ appId, name, count, held, isMuch }) => ({
      appId,
      displayName: name,
      count,
      heldCount: held,
      needsConfirmation: isMuch,
    })),
  }
}

export const viewApplied = async <Ref>(
  call: Call,
  result: Result<Ref> & { bulkActionId: string },
  viewing: Viewing<Ref>,
) => ({ ...(await viewResult(call, result, viewing)), bulkActionId: result.bulkActionId })

/** What applying needs besides the items. */
export const applyingIn = ({ fingerprint, reason, isConfirmed }: Applying): Applying => ({
  fingerprint,
  reason: reason.trim(),
  isConfirmed,
})
