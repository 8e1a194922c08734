import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Tx, transact, transactOnce, within } from '#kernel/sql.ts'
import { fingerprintOf, refuseOutdated, rehearse } from '#rooms/foundation/plans/index.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import { type BulkKind, insertAction } from './undo/store.ts'

/** A bulk change: its items, and how one of them is changed. */
export type Bulk<Ref> = {
  /** The message in the system log, as in "Revoked 12 grants". */
  done: (count: number) => string
  /** Everything that was requested: a plan is valid only for the same request. */
  wanted: readonly unknown[]
  refs: readonly Ref[]
  keyOf: (ref: Ref) => string
  appOf: (ref: Ref) => string
  /** Changes one item, or finds that there is nothing to change. Refusals are reported for the item. */
  change: (tx: Tx, ref: Ref) => Promise<'changed' | 'unchanged'>
  noteOf?: (ref: Ref) => string
  /** The kind of change, and what an item was before and is after: kept, so that it can be undone. */
  kept?: { kind: BulkKind; traceOf: (ref: Ref) => { before: unknown; after: unknown } }
  /** What share of the existing things would be removed. Called before anything is changed. */
  sharesOf?: (tx: Tx, refs: readonly Ref[]) => Promise<Share[]>
}

/** Reads what a change needs. For a plan, the reason is empty. */
export type BulkIn<Ref> = (tx: Tx, reason: string) => Promise<Bulk<Ref>>

/** `count` of `held` things of an app, or of the tenant if `appId` is empty, would be removed. */
export type Share = { appId: string; name: string; count: number; held: number; isMuch: boolean }

export type Item<Ref> = { ref: Ref; outcome: 'changed' | 'unchanged' | 'refused'; error: string; note: string }
export type Result<Ref> = { items: Item<Ref>[]; shares: Share[]; fingerprint: string }

/** What would happen, item by item. */
export const plan = <Ref>(call: Call, bulkIn: BulkIn<Ref>): Promise<Result<Ref>> =>
  rehearse(call.db, async (tx) => run(tx, call, await bulkIn(tx, '')))

export type Applying = { fingerprint: string; reason: string; isConfirmed: boolean }

/**
 * Does what a plan showed, all in one transaction: an item that is refused was refused in the plan too. If any result would
 * differ from the plan, nothing is done.
 */
export const apply = <Ref>(
  call: Call,
  bulkIn: BulkIn<Ref>,
  { fingerprint, reason, isConfirmed }: Applying,
  afterwards?: (tx: Tx, count: Record<Item<Ref>['outcome'], number>) => Promise<void>,
): Promise<Result<Ref> & { bulkActionId: string }> =>
  transact(call.db, async (tx) => {
    const bulk = await bulkIn(tx, reason)
    const result = await run(tx, call, bulk)
    refuseOutdated(result.fingerprint, fingerprint)
    const much = result.shares.filter((share) => share.isMuch)
    if (much.length > 0 && !isConfirmed)
      throw new Refusal(
        'BULK_UNCONFIRMED',
        `This would remove ${much.map(({ count, held, name }) => `${count} of ${held} in ${name}`).join(', ')}. Set isConfirmed if that is intended.`,
      )
    const count = { changed: 0, unchanged: 0, refused: 0 }
    for (const { outcome } of result.items) count[outcome]++
    const bulkActionId = call.newId()
    const touched = { type: 'bulk_action', id: bulkActionId, data: { reason, ...count } }
    const title = bulk.done(count.changed)
    if (count.changed > 0) {
      if (bulk.kept) await keep(tx, call, result.items, bulk.kept, { id: bulkActionId, title, reason })
      await recordChange(tx, call, 'update', `${title}: ${reason}`, [touched])
    }
    await afterwards?.(tx, count)
    return { ...result, bulkActionId }
  })

const keep = <Ref>(
  tx: Tx,
  call: Call,
  items: readonly Item<Ref>[],
  { kind, traceOf }: NonNullable<Bulk<Ref>['kept']>,
  action: { id: string; title: string; reason: string },
): Promise<void> =>
  insertAction(tx, call.tenant.id, {
    ...action,
    kind,
    askedBy: call.actor.userId,
    createdAt: call.now(),
    items: items.filter(({ outcome }) => outcome === 'changed').map(({ ref }) => ({ ref, ...traceOf(ref) })),
  })

async function run<Ref>(tx: Tx, call: Call, bulk: Bulk<Ref>): Promise<Result<Ref>> {
  // In one order, so that two changes of the same items do not deadlock.
  const keyed = [...new Map(bulk.refs.map((ref) => [bulk.keyOf(ref), ref]))].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const shares =
    (await bulk.sharesOf?.(
      tx,
      keyed.map(([, ref]) => ref),
    )) ?? []
  const items: Item<Ref>[] = []
  const db = within(tx)
  for (const [, ref] of keyed) {
    // A client that has disconnected does not wait for a thousand changes.
    call.signal.throwIfAborted()
    const note = bulk.noteOf?.(ref) ?? ''
    try {
      items.push({ ref, outcome: await transactOnce(db, (inner) => bulk.change(inner, ref)), error: '', note })
    } catch (error) {
      // That the server is busy is not an error of an item.
      if (!(error instanceof Refusal) || error.status >= 500) throw error
      items.push({ ref, outcome: 'refused', error: error.message, note: '' })
    }
  }
  const fingerprint = fingerprintOf(call, 'bulk', [
    bulk.wanted,
    items.map(({ ref, outcome, error }) => [bulk.keyOf(ref), outcome, error]),
    shares.map(({ appId, isMuch }) => [appId, isMuch]),
  ])
  return { items, shares, fingerprint }
}
