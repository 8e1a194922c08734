import type { Page } from '#kernel/pages.ts'
import { isSameMac, type Seals } from '#kernel/seals.ts'
import type { Fragment, Reads, Tx } from '#kernel/sql.ts'
import type { Contacts } from './decide.ts'

export type Domain = { id: string; domain: string; createdAt: Date }

const domainColumns = (db: Reads) => db`d.domain_id as id, d.domain, d.created_at as "createdAt"`

export const listDomains = (db: Reads, tenantId: number, page: Pick<Page, 'after' | 'limit'>): Promise<Domain[]> =>
  db<Domain[]>`
    select ${domainColumns(db)} from organization_domains d
    where d.tenant_id = ${tenantId} and d.domain > ${page.after?.[0] ?? ''} order by d.domain limit ${page.limit}`

/** All domains of a tenant, as an array: read once in a statement. */
export const domainsOf = (db: Reads, tenantId: number): Fragment =>
  db`array(select d.domain from organization_domains d where d.tenant_id = ${tenantId})`

export async function deleteOtherDomains(tx: Tx, tenantId: number, kept: readonly string[]): Promise<string[]> {
  const rows = await tx<{ domain: string }[]>`
    delete from organization_domains where tenant_id = ${tenantId} and domain <> all(${kept}::text[]) returning domain`
  return rows.map(({ domain }) => domain)
}

export async function insertDomains(tx: Tx, tenantId: number, rows: readonly Domain[]): Promise<string[]> {
  const added = await tx<{ domain: string }[]>`
    insert into organization_domains (tenant_id, domain_id, domain, created_at)
    select ${tenantId}, n.id, n.domain, n.created_at
    from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ domain }) => domain)}::text[],
      ${rows.map(({ createdAt }) => createdAt.toISOString())}::timestamptz[]) as n (id, domain, created_at)
    on conflict (tenant_id, domain) do nothing returning domain`
  return added.map(({ domain }) => domain)
}

export type ContactsRow = Contacts & { createdAt: Date; updatedAt: Date; mac: Buffer }

// The addresses for alarms are protected by a MAC: if the row was not written by this program, no email is sent.
const contactsMac = (seals: Seals, tenantId: number, row: Omit<ContactsRow, 'mac' | 'createdAt'>): Buffer =>
  seals.mac(
    'organization contacts',
    String(tenantId),
    JSON.stringify([row.operationsEmails, row.securityEmails, row.updatedAt.getTime()]),
  )

export const isAuthenticContacts = (seals: Seals, tenantId: number, row: ContactsRow): boolean =>
  isSameMac(row.mac, contactsMac(seals, tenantId, row))

export async function findContactsRow(db: Reads, tenantId: number): Promise<ContactsRow | null> {
  const [row] = await db<ContactsRow[]>`
    select c.operations_emails as "operationsEmails", c.security_emails as "securityEmails",
      c.created_at as "createdAt", c.updated_at as "updatedAt", c.mac
    from organization_contacts c where c.tenant_id = ${tenantId}`
  return row ?? null
}

export async function putContacts(
  tx: Tx,
  seals: Seals,
  tenantId: number,
  row: Omit<ContactsRow, 'mac'>,
): Promise<void> {
  await tx`
    insert into organization_contacts (tenant_id, operations_emails, security_emails, created_at, updated_at, mac)
    values (${tenantId}, ${row.operationsEmails}, ${row.securityEmails}, ${row.createdAt}, ${row.updatedAt},
      ${contactsMac(seals, tenantId, row)})
    on conflict (tenant_id) do update set operations_emails = excluded.operations_emails,
      security_emails = excluded.security_emails, updated_at = excluded.updated_at, mac = excluded.mac`
}
