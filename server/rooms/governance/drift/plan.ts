import { may } from '#authority/may.ts'
import { refuseBeyondReach } from '#authority/reach/index.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { fingerprintOf } from '#rooms/foundation/plans/index.ts'
import { listEnforcement } from '#rooms/governance/enforcement/index.ts'
import type { HoldingRef } from '#rooms/records/grants/index.ts'
import { countedFor, type Happening, happeningOf, isTooMuch, whyNot } from './decide.ts'
import type { Drift, DriftKind, Remedy } from './drift.ts'
import { countGrants, findDrift, listDrift } from './store.ts'

/** The maximum number of differences in one run. */
export const itemsMax = 10_000

/** The differences that a remedy is for: those listed, or all that match. */
export type Chosen =
  | { remedy: Remedy; refs: readonly HoldingRef[] }
  | { remedy: Remedy; refs: null; appId: string | null; kind: DriftKind | null }

/** How much of an app's access a remedy would change. */
export type Share = { appId: string; appName: string; count: number; held: number; isTooMuch: boolean }

export type Plan = {
  remedy: Remedy
  items: readonly { drift: Drift; happens: Happening }[]
  refused: readonly { drift: Drift; why: string }[]
  shares: readonly Share[]
  /** More differences match than one run can process. */
  isMore: boolean
  fingerprint: string
}

/** What applying a remedy would do. Nothing is changed. */
export const planRemedy = (call: Call, chosen: Chosen): Promise<Plan> =>
  transact(call.db, (tx) => planIn(tx, call, chosen))

export async function planIn(tx: Tx, call: Call, chosen: Chosen): Promise<Plan> {
  const { remedy } = chosen
  const { id: tenantId } = call.tenant
  const at = call.now()
  const listed = chosen.refs
    ? await findDrift(tx, tenantId, chosen.refs, at)
    : await listDrift(tx, tenantId, { ...chosen, isUnderWay: false }, { after: null, limit: itemsMax + 1 }, at)
  const found = listed.slice(0, itemsMax)
  const judge = judging(tx, call, remedy)
  const items: { drift: Drift; happens: Happening }[] = []
  const refused: { drift: Drift; why: string }[] = []
  for (const drift of found) {
    // Each may have a different entitlement, which is looked up: stop once the client has disconnected.
    call.signal.throwIfAborted()
    const judged = await judge(drift)
    if ('why' in judged) refused.push({ drift, why: judged.why })
    else items.push({ drift, happens: judged.happens })
  }
  const shares: Share[] = []
  for (const [appId, ofApp] of Map.groupBy(items, ({ drift }) => drift.appId)) {
    const { length: count } = ofApp
    const held = await countGrants(tx, tenantId, appId, countedFor(count))
    const appName = ofApp[0]?.drift.appName ?? ''
    shares.push({ appId, appName, count, held, isTooMuch: isTooMuch(remedy, count, held) })
  }
  const fingerprint = fingerprintOf(call, 'drift', [
    remedy,
    items.map(({ drift, happens }) => [drift.appId, drift.entitlementId, drift.accountId, happens]),
  ])
  return { remedy, items, refused, shares, isMore: listed.length > itemsMax, fingerprint }
}

type Looked = { why: string | null; carrier: 'connector' | 'people' }

/** What happens to a difference. Facts that are the same for all differences of an entitlement are looked up once. */
function judging(tx: Tx, call: Call, remedy: Remedy) {
  const known = new Map<string, Promise<Looked>>()
  const lookAt = async ({ appId, entitlementId }: Drift): Promise<Looked> => ({
    why: remedy === 'keep' ? await whyBeyondReach(tx, call, { appId, id: entitlementId }) : null,
    carrier: remedy === 'provision' ? await carrierOf(tx, call, { appId, id: entitlementId }) : 'people',
  })
  return async (drift: Drift): Promise<{ why: string } | { happens: Happening }> => {
    const mayRevoke = may(call.actor, 'tasks.request-for-others') || drift.userId === call.actor.userId
    const why = whyNot(remedy, drift) ?? (remedy === 'revoke' && !mayRevoke ? needsOthers : null)
    if (why !== null) return { why }
    const key = `${drift.appId} ${drift.entitlementId}`
    const looked = known.get(key) ?? lookAt(drift)
    known.set(key, looked)
    const { why: beyond, carrier } = await looked
    return beyond === null ? { happens: happeningOf(remedy, carrier) } : { why: beyond }
  }
}

const needsOthers = 'Revoking access of others needs the permission tasks.others.'

async function whyBeyondReach(tx: Tx, call: Call, ref: { appId: string; id: string }): Promise<string | null> {
  try {
    await refuseBeyondReach(tx, call, ref)
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

/** Who would provision access in the app again: the connector, if the entitlement allows that and the connector can. */
async function carrierOf(tx: Tx, call: Call, ref: { appId: string; id: string }): Promise<'connector' | 'people'> {
  const found = await listEnforcement(tx, call, [ref])
  return found.get(`${ref.appId}/${ref.id}`)?.grant.by === 'connector' ? 'connector' : 'people'
}

/** Refuses to remove much of an app's access without confirmation. */
export function refuseTooMuch({ remedy, shares }: Plan, isConfirmed: boolean): void {
  const [first, ...others] = shares.filter((share) => share.isTooMuch)
  if (!first || isConfirmed) return
  const more = others.length === 0 ? '' : ` and of ${others.length} other apps`
  throw new Refusal(
    'REMEDY_UNCONFIRMED',
    `This would ${remedy} ${first.count} of the ${first.held} grants of ${first.appName}${more}. ` +
      'That is more than 20%. Set isConfirmed to true if this is intended.',
    { metadata: { appId: first.appId, count: String(first.count), held: String(first.held) } },
  )
}
