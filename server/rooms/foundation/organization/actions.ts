import type { May } from '#authority/proof.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { alarm, causeOf, change, record, recordChange, reportForged } from '#rooms/foundation/systemlog/index.ts'
import { type Contacts, contactProblems, domainProblems, domainsMax, noContacts, plainDomains } from './decide.ts'
import {
  type Domain,
  deleteOtherDomains,
  findContactsRow,
  insertDomains,
  isAuthenticContacts,
  listDomains,
  putContacts,
} from './store.ts'

/** Replaces the domains of the organization. Those that stay keep their ids. */
export async function replaceDomains(
  tx: Tx,
  call: May<'organization.change-domains'>,
  given: readonly string[],
): Promise<Domain[]> {
  const wanted = plainDomains(given)
  const [first, ...others] = domainProblems(wanted)
  if (first) throw invalid(first, ...others)
  const removed = await deleteOtherDomains(tx, call.tenant.id, wanted)
  const createdAt = call.now()
  const rows = wanted.map((domain) => ({ id: call.newId(), domain, createdAt }))
  const added = rows.length > 0 ? await insertDomains(tx, call.tenant.id, rows) : []
  if (added.length + removed.length > 0) {
    const data = { domains: wanted, added, removed }
    const touched = [{ type: 'organization_domains', id: call.tenant.publicId, name: call.tenant.domain, data }]
    await recordChange(tx, call, 'update', 'Changed the domains of the organization', touched)
  }
  return listDomains(tx, call.tenant.id, { after: null, limit: domainsMax })
}

export type KnownContacts = Contacts & { createdAt: Date | null; updatedAt: Date | null }

/** The contacts of the organization; none if their row was not written by this program. */
export async function findContacts(world: World, db: Reads, tenantId: number): Promise<KnownContacts> {
  const row = await findContactsRow(db, tenantId)
  if (row && isAuthenticContacts(world.seals, tenantId, row)) return row
  if (row) await reportForged(world, tenantId, { type: 'organization contacts', id: String(tenantId) })
  return { ...noContacts, createdAt: null, updatedAt: null }
}

export async function changeContacts(
  tx: Tx,
  call: May<'organization.change-contacts'>,
  changes: Partial<Contacts>,
): Promise<KnownContacts> {
  const before = await findContacts(call, tx, call.tenant.id)
  const { operationsEmails, securityEmails } = { ...before, ...changes }
  const contacts = { operationsEmails, securityEmails }
  const [first, ...others] = contactProblems(contacts)
  if (first) throw invalid(first, ...others)
  const at = call.now()
  const after = { ...contacts, createdAt: before.createdAt ?? at, updatedAt: at }
  await putContacts(tx, call.seals, call.tenant.id, after)
  const told = { operationsEmails: before.operationsEmails, securityEmails: before.securityEmails }
  const data = { ...contacts, before: told }
  const touched = [{ type: 'organization_contacts', id: call.tenant.publicId, name: call.tenant.domain, data }]
  // Contacts who are removed would otherwise not learn of it.
  await record(
    tx,
    call,
    call,
    alarm(change(causeOf(call), 'update', 'Changed the contacts of the organization', touched)),
  )
  return after
}
