import type { Fragment, Tx } from '#kernel/sql.ts'
import type { KnownPart } from '../c1z/known.ts'
import type { KnownRows } from '../c1z/read.ts'
import { isOwn, type Origin } from './origin.ts'
import { filled } from './temporary.ts'

/** The limits of what the thread that reads a file is sent: 30 bytes of memory for each grant, 100 for each account. */
const grantsMax = 4_000_000
const namedMax = 500_000

/**
 * For the existing app of a connector's file: numbers its entitlements and accounts, and returns rows for the reader with
 * the open grants that were imported from the same origin. Null if there are none, too many to send, or some for which it is
 * not known who reported them: then everything is staged.
 */
export async function openKnown(tx: Tx, tenantId: number, appId: string, origin: Origin): Promise<KnownRows | null> {
  await tx.unsafe(`
    create temporary table known_entitlements (place int, entitlement_id text collate "C", external_id text collate "C")
      on commit drop;
    create temporary table known_accounts (place int, account_id text collate "C", external_id text collate "C")
      on commit drop;
    create temporary table known_grants (entitlement int, accounts int[], others text[]) on commit drop;
    create temporary table known_sources (entitlement int, source int, accounts int[]) on commit drop;
    create temporary table staged_untolds (entitlement int, account int) on commit drop;
    create temporary table staged_others (grant_id text collate "C") on commit drop`)
  if (!(await hasGrants(tx, tenantId, appId, isOwn(tx, origin, 'x')))) return null
  if (origin.connectorId !== '' && (await hasGrants(tx, tenantId, appId, tx`x.connector_ids is null`))) return null
  await filled(
    tx,
    'known_entitlements',
    tx`
    insert into known_entitlements
    select row_number() over (order by entitlement_id) - 1, entitlement_id, external_id from entitlements
    where tenant_id = ${tenantId} and app_id = ${appId} and external_id is not null limit ${namedMax + 1}`,
  )
  await filled(
    tx,
    'known_accounts',
    tx`
    insert into known_accounts
    select row_number() over (order by account_id) - 1, account_id, external_id from accounts
    where tenant_id = ${tenantId} and app_id = ${appId} and external_id is not null limit ${namedMax + 1}`,
  )
  const [named] = await tx<{ count: number }[]>`
    select (select count(*) from known_entitlements) + (select count(*) from known_accounts) as count`
  if (!named || named.count > namedMax) return null
  // One row per entitlement: sending a million rows of two numbers would take as long as comparing them. Grants that expire
  // may have been changed manually, which resolving finds out, and those of which more is kept may not need it any longer;
  // these are sent as ids.
  await tx`
    insert into known_grants
    select g.entitlement, array_agg(g.account) filter (where not g.is_other), array_agg(g.id) filter (where g.is_other)
    from (
      select e.place as entitlement, a.place as account, x.grant_id as id,
        e.place is null or a.place is null or x.expires_at is not null or k.account_id is not null as is_other
      from grants x
      left join known_entitlements e on e.entitlement_id = x.entitlement_id
      left join known_accounts a on a.account_id = x.account_id
      left join connector_grants k on k.tenant_id = ${tenantId} and k.app_id = ${appId}
        and k.entitlement_id = x.entitlement_id and k.account_id = x.account_id
      where x.tenant_id = ${tenantId} and x.app_id = ${appId} and x.source = 'import' and x.ended_at is null
        and ${isOwn(tx, origin, 'x')}
    ) g group by g.entitlement`
  const [grants] = await tx<{ count: number }[]>`
    select coalesce(sum(coalesce(cardinality(accounts), 0) + coalesce(cardinality(others), 0)), 0)::int as count
    from known_grants`
  if (!grants || grants.count > grantsMax) return null
  await tx`
    insert into known_sources
    select e.place, s.place, array_agg(a.place) from grant_sources x
    join known_entitlements e on e.entitlement_id = x.entitlement_id
    join known_accounts a on a.account_id = x.account_id
    join known_entitlements s on s.entitlement_id = x.source_entitlement_id
    where x.tenant_id = ${tenantId} and x.app_id = ${appId}
    group by e.place, s.place`
  return knownRows(tx)
}

async function hasGrants(tx: Tx, tenantId: number, appId: string, condition: Fragment): Promise<boolean> {
  const [row] = await tx`
    select 1 from grants x
    where x.tenant_id = ${tenantId} and x.app_id = ${appId} and x.source = 'import' and x.ended_at is null and ${condition}
    limit 1`
  return row !== undefined
}

const statements: { readonly [P in KnownPart]: string } = {
  entitlements: 'copy (select external_id from known_entitlements order by place) to stdout',
  accounts: 'copy (select external_id from known_accounts order by place) to stdout',
  grants: 'copy known_grants to stdout',
  sources: 'copy known_sources to stdout',
}

async function* knownRows(tx: Tx): KnownRows {
  for (const part of ['entitlements', 'accounts', 'grants', 'sources'] as const) {
    const rows = await tx.unsafe(statements[part]).readable()
    for await (const bytes of together(rows)) yield { part, bytes }
  }
}

const pieceBytes = 256 * 1024

/** COPY sends a piece for every few rows. */
async function* together(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let bytes = 0
  for await (const piece of pieces) {
    held.push(piece)
    bytes += piece.length
    if (bytes < pieceBytes) continue
    yield Buffer.concat(held)
    held = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(held)
}
