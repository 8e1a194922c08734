import type { Call, Input, Route } from '#kernel/routes.ts'
import { type Db, type Tx, within } from '#kernel/sql.ts'
import type { Fields } from '#kernel/wire.ts'
import { rehearse } from '#rooms/foundation/plans/index.ts'
import { type Effect, effectsOf, fingerprintOfChange } from './change.ts'
import { choosing } from './kinds.ts'
import { listEventsWritten, lockChosen } from './store.ts'

type Anything = Input<string, Fields, Fields>
export type Reply = Awaited<ReturnType<Route['handle']>>
export type Done = { reply: Reply; effects: Effect[]; fingerprint: string; isCovered: boolean }

/**
 * Performs an operation within a transaction, and returns its effects: the events that it wrote. Every change writes its
 * event in its own transaction, so an operation that writes none changes nothing.
 */
export async function perform(tx: Tx, call: Call, route: Route, input: Anything): Promise<Done> {
  const madeIds = new Set<string>()
  const at = call.now()
  const db: Db = within(tx)
  const inside: Call = {
    ...call,
    shows: {},
    db,
    tenant: call.tenant,
    operation: route.id,
    origin: call.origin,
    signal: call.signal,
    // A single time, so that it can be recognized in what was written.
    now: () => at,
    newId() {
      const id = call.newId()
      madeIds.add(id)
      return id
    },
  }
  const of = choosing[route.id]
  const look = async () => (of ? lockChosen(tx, call.tenant.id, of, input.path) : '')
  const before = await look()
  const reply = await route.handle(inside, input)
  const effects = effectsOf(await listEventsWritten(tx, call.tenant.id, [...madeIds]))
  const isCovered = effects.length > 0 && (!of || before !== (await look()))
  const fingerprint = fingerprintOfChange(call, `${route.id} ${before}`, effects, { madeIds, at })
  return { reply, effects, isCovered, fingerprint }
}

/** What would happen, with every refusal. A change that is not covered needs no approval, and is kept. */
export const rehearseChange = (call: Call, route: Route, input: Anything): Promise<Done> =>
  rehearse(call.db, (tx) => perform(tx, call, route, input), { isKept: ({ isCovered }) => !isCovered })
