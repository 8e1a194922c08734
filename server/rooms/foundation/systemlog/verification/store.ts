import type { Seals } from '#kernel/seals.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { Verification } from './verification.ts'

export type VerificationRow = Verification & { mac: Buffer }

export const verificationMac = (seals: Seals, tenantId: number, of: Verification): Buffer =>
  seals.mac(
    'systemlog verification',
    String(tenantId),
    of.id,
    JSON.stringify([of.byKind, of.byId, of.byName]),
    of.startedAt.toISOString(),
    of.finishedAt.toISOString(),
    of.walkBeganAt.toISOString(),
    JSON.stringify([of.fromSeal, of.sealNumber, of.eventCount, of.isComplete, of.findingCount]),
    of.sealMac,
    JSON.stringify(of.findings.map(({ what, eventId = '', sealNumber = 0 }) => [what, eventId, sealNumber])),
  )

/** The newest first. */
export async function listVerifications(db: Reads, tenantId: number, limit: number): Promise<VerificationRow[]> {
  return db<VerificationRow[]>`
    select verification_id as id, by_kind as "byKind", by_id as "byId", by_name as "byName", started_at as "startedAt",
      finished_at as "finishedAt", walk_began_at as "walkBeganAt", from_seal as "fromSeal", seal_number as "sealNumber",
      seal_mac as "sealMac", event_count as "eventCount", is_complete as "isComplete", finding_count as "findingCount",
      findings, mac
    from systemlog_verifications where tenant_id = ${tenantId} order by verification_id desc limit ${limit}`
}

export async function insertVerification(tx: Tx, tenantId: number, row: VerificationRow): Promise<void> {
  await tx`
    insert into systemlog_verifications (tenant_id, verification_id, by_kind, by_id, by_name, started_at, finished_at,
      walk_began_at, from_seal, seal_number, seal_mac, event_count, is_complete, finding_count, findings, mac)
    values (${tenantId}, ${row.id}, ${row.byKind}, ${row.byId}, ${row.byName}, ${row.startedAt}, ${row.finishedAt},
      ${row.walkBeganAt}, ${row.fromSeal}, ${row.sealNumber}, ${row.sealMac}, ${row.eventCount}, ${row.isComplete},
      ${row.findingCount}, ${tx.json(row.findings)}, ${row.mac})`
}

/** Removes those before one. */
export async function forgetVerifications(tx: Tx, tenantId: number, before: string): Promise<void> {
  await tx`delete from systemlog_verifications where tenant_id = ${tenantId} and verification_id < ${before}`
}
