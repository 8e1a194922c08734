import type { Page } from '#kernel/pages.ts'
import { type Db, type Reads, transact } from '#kernel/sql.ts'
import { forEachTenant, listTenantsWith } from '#kernel/tenants-with.ts'
import type { Attempt } from './attempt.ts'

const rowsPerStatement = 200

/** Adds attempts to those stored. Attempts at a trust that has been deleted in the meantime are dropped. */
export async function writeAttempts(db: Db, tenantId: number, attempts: readonly Attempt[]): Promise<void> {
  // In the order of their keys, so that two servers with the same keys do not deadlock.
  const sorted = attempts.toSorted(
    (a, b) => compare(a.credentialId, b.credentialId) || Buffer.compare(a.fingerprint, b.fingerprint),
  )
  for (let from = 0; from < sorted.length; from += rowsPerStatement) {
    const some = sorted.slice(from, from + rowsPerStatement)
    await transact(db, async (tx) => {
      const ids = [...new Set(some.map(({ credentialId }) => credentialId))]
      const alive = await tx<{ id: string }[]>`
        select credential_id as id from federation_trusts
        where tenant_id = ${tenantId} and credential_id = any(${ids}::text[]) order by credential_id for key share`
      const known = new Set(alive.map(({ id }) => id))
      const rows = some
        .filter(({ credentialId }) => known.has(credentialId))
        .map((each) => ({
          tenant_id: tenantId,
          credential_id: each.credentialId,
          attempt_id: each.id,
          fingerprint: each.fingerprint,
          is_admitted: each.isAdmitted,
          step: each.step,
          reason: each.reason,
          detail: each.detail,
          claims: each.claims === null ? null : tx.json(JSON.parse(each.claims)),
          omitted: each.omitted,
          source_address: each.sourceAddress,
          times: each.times,
          first_at: each.firstAt,
          last_at: each.lastAt,
        }))
      if (rows.length > 0)
        await tx`
          insert into federation_attempts as a ${tx(rows)}
          on conflict (tenant_id, credential_id, fingerprint) do update
          set times = least(a.times::bigint + excluded.times, 2147483647)::int, last_at = excluded.last_at,
            detail = excluded.detail, source_address = excluded.source_address`
    })
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const columns = (db: Reads) => db`
  attempt_id as id, credential_id as "credentialId", fingerprint, is_admitted as "isAdmitted", step, reason, detail,
  claims::text, omitted, source_address as "sourceAddress", times, first_at as "firstAt", last_at as "lastAt"`

/** The attempts at a trust, newest first: by the time of the first one of each kind. */
export async function listAttempts(
  db: Reads,
  tenantId: number,
  { credentialId, isAdmitted }: { credentialId: string; isAdmitted: boolean | null },
  page: Pick<Page, 'after' | 'limit'>,
): Promise<Attempt[]> {
  return db<Attempt[]>`
    select ${columns(db)} from federation_attempts
    where tenant_id = ${tenantId} and credential_id = ${credentialId}
      ${isAdmitted === null ? db`` : db`and is_admitted = ${isAdmitted}`}
      ${page.after === null ? db`` : db`and attempt_id < ${page.after[0] ?? ''}`}
    order by attempt_id desc limit ${page.limit}`
}

/** Limited per outcome, so that refused tokens of strangers do not displace accepted ones. */
const keptPerTrust = 500
export const keptDays = 14
const dayMs = 86_400_000

/** Attempts of the last days with claims, newest first. */
export async function listReplayable(
  db: Reads,
  tenantId: number,
  { credentialId, isAdmitted, since }: { credentialId: string; isAdmitted: boolean; since: Date },
): Promise<Attempt[]> {
  return db<Attempt[]>`
    select ${columns(db)} from federation_attempts
    where tenant_id = ${tenantId} and credential_id = ${credentialId} and is_admitted = ${isAdmitted}
      and claims is not null and last_at >= ${since}
    order by last_at desc, attempt_id desc limit ${keptPerTrust}`
}

/** Deletes attempts older than two weeks, and all but the newest of each trust. Run by the engine. */
export async function forgetAttempts(db: Reads, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDays * dayMs)
  const tenantIds = await listTenantsWith(
    db,
    (after) => db`select tenant_id from federation_attempts where tenant_id > ${after}`,
  )
  await forEachTenant(tenantIds, async (tenantId) => {
    await db`delete from federation_attempts where tenant_id = ${tenantId} and last_at < ${before}`
    const full = await db<{ credentialId: string; isAdmitted: boolean }[]>`
      select credential_id as "credentialId", is_admitted as "isAdmitted" from federation_attempts
      where tenant_id = ${tenantId} group by credential_id, is_admitted having count(*) > ${keptPerTrust} limit 100`
    for (const { credentialId, isAdmitted } of full)
      await db`
        delete from federation_attempts
        where tenant_id = ${tenantId} and credential_id = ${credentialId} and is_admitted = ${isAdmitted}
          and last_at < (
            select f.last_at from federation_attempts f
            where f.tenant_id = ${tenantId} and f.credential_id = ${credentialId} and f.is_admitted = ${isAdmitted}
            order by f.last_at desc offset ${keptPerTrust - 1} limit 1)`
  })
}
