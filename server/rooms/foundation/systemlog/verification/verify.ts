import { slot } from '#kernel/memory.ts'
import { isSameMac } from '#kernel/seals.ts'
import { type Reads, transact } from '#kernel/sql.ts'
import { listTenantIds } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { sealTenant } from '../chain/seal.ts'
import { verificationFailed } from '../events/event.ts'
import { reportForged } from '../forged.ts'
import { grouped } from '../record.ts'
import { findTenancy } from '../store.ts'
import type { Verdict } from '../verify/verdict.ts'
import { verifyPart } from '../verify/verify.ts'
import {
  forgetVerifications,
  insertVerification,
  listVerifications,
  type VerificationRow,
  verificationMac,
} from './store.ts'
import { type By, byServer, type Verification } from './verification.ts'

const rememberedMax = 50
const findingsMax = 20
// One part takes about 2 s of a core.
const eventsPerPart = 100_000
/** The server reads new events this often, and all of them again after a week. */
const everyMs = 15 * 60_000
const wholeEveryMs = 7 * 24 * 3_600_000

/** Those that this program wrote, newest first. */
export async function listAuthentic(world: World, db: Reads, tenantId: number): Promise<Verification[]> {
  const rows = await listVerifications(db, tenantId, rememberedMax)
  const isAuthentic = (row: VerificationRow): boolean => isSameMac(row.mac, verificationMac(world.seals, tenantId, row))
  for (const row of rows)
    if (!isAuthentic(row)) await reportForged(world, tenantId, { type: 'verification', id: row.id })
  return rows.filter(isAuthentic)
}

/** Stores the result, and reports findings that are new. */
export async function keepVerification(
  world: World,
  tenantId: number,
  by: By,
  {
    startedAt,
    walkBeganAt,
    fromSeal,
    isComplete,
  }: Pick<Verification, 'startedAt' | 'walkBeganAt' | 'fromSeal' | 'isComplete'>,
  { events, seals, sealMac, findings }: Pick<Verdict, 'events' | 'seals' | 'sealMac' | 'findings'>,
): Promise<Verification> {
  const last = (await listAuthentic(world, world.db, tenantId)).find(({ byKind }) => byKind !== 'command')
  const verification: Verification = {
    id: world.newId(),
    ...by,
    startedAt,
    finishedAt: world.now(),
    walkBeganAt,
    fromSeal,
    sealNumber: seals,
    sealMac,
    eventCount: events,
    isComplete,
    findingCount: findings.length,
    findings: findings.slice(0, findingsMax),
  }
  const row = { ...verification, mac: verificationMac(world.seals, tenantId, verification) }
  await transact(world.db, async (tx) => {
    await insertVerification(tx, tenantId, row)
    const oldest = (await listVerifications(tx, tenantId, rememberedMax)).at(-1)
    if (oldest) await forgetVerifications(tx, tenantId, oldest.id)
  })
  const isNews = JSON.stringify(last?.findings ?? []) !== JSON.stringify(verification.findings)
  // A command shows its findings itself, and adds nothing to the log that it reads.
  if (findings.length > 0 && isNews && by.byKind !== 'command') await reportFailure(world, tenantId, verification)
  return verification
}

async function reportFailure(world: World, tenantId: number, { findings, findingCount }: Verification): Promise<void> {
  world.log.error(
    { tenantId, count: findingCount, findings },
    'the verification of the system log failed; see bailiwick systemlog verify',
  )
  const tenant = await findTenancy(world.db, tenantId)
  if (tenant) await world.memory(grouped).record(tenantId, verificationFailed(tenant, findingCount, findings))
}

/** Where the next verification begins: after the last that found nothing, or at the beginning. */
function anchorOf(known: readonly Verification[], isWhole: boolean, now: Date): Verification | null {
  const good = known.find(({ findingCount }) => findingCount === 0) ?? null
  const isOld = good !== null && now.getTime() - good.walkBeganAt.getTime() > wholeEveryMs
  return isWhole || isOld ? null : good
}

/** Verifies the log behind what was verified last, part by part, for a time at most. */
export async function verifyNow(
  world: World,
  tenantId: number,
  by: By,
  { isWhole = false, forMs = 5_000 }: { isWhole?: boolean; forMs?: number } = {},
): Promise<Verification> {
  const until = performance.now() + forMs
  // Else what was answered just now would count as waiting.
  await sealTenant(world, tenantId)
  let anchor = anchorOf(await listAuthentic(world, world.db, tenantId), isWhole, world.now())
  const walkBeganAt = anchor?.walkBeganAt ?? world.now()
  for (;;) {
    const startedAt = world.now()
    const part = await verifyPart(world, tenantId, anchor, eventsPerPart)
    const done = await keepVerification(world, tenantId, by, { startedAt, walkBeganAt, ...part }, part)
    if (done.isComplete || done.findingCount > 0 || performance.now() > until) return done
    anchor = done
  }
}

/** One at a time for each tenant: others that start in the meantime get the same result. */
export const verifying = slot((world) => {
  const underWay = new Map<number, Promise<Verification>>()
  const startedMs = performance.now()
  const nextMs = new Map<number, number>()

  const begin = (tenantId: number, by: By, isWhole: boolean): Promise<Verification> => {
    const work = verifyNow(world, tenantId, by, { isWhole }).finally(() => underWay.delete(tenantId))
    underWay.set(tenantId, work)
    return work
  }

  return {
    ask: async (tenantId: number, by: By, isWhole: boolean): Promise<Verification> => {
      for (let other = underWay.get(tenantId); other; other = underWay.get(tenantId)) {
        if (!isWhole) return other
        // What runs already may have begun elsewhere: one that reads everything is done afterwards.
        await other.catch(() => {})
      }
      return begin(tenantId, by, isWhole)
    },
    /** Run by the engine: what is due, of all tenants, for some seconds. */
    async verifyDue(): Promise<void> {
      const now = performance.now()
      if (now - startedMs < settleMs) return
      for (const tenantId of await listTenantIds(world.db)) {
        if (performance.now() - now > turnMs) return
        if ((nextMs.get(tenantId) ?? 0) > performance.now() || underWay.has(tenantId)) continue
        const [last] = await listAuthentic(world, world.db, tenantId)
        const age = last ? world.now().getTime() - last.finishedAt.getTime() : everyMs
        if (last?.isComplete && age < everyMs) {
          nextMs.set(tenantId, performance.now() + everyMs - age)
          continue
        }
        const done = await begin(tenantId, byServer, false)
        nextMs.set(tenantId, performance.now() + (done.isComplete || done.findingCount > 0 ? everyMs : 0))
      }
    },
  }
})

// A server that has just started has more urgent work, and one that stops does not begin with this.
const settleMs = 30_000
const turnMs = 10_000
