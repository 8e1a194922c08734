import type { Reads } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { findContacts } from '#rooms/foundation/organization/index.ts'
import { listEffectiveOwners } from '#rooms/governance/owners/index.ts'
import { listRolesOfUser } from '#rooms/identity/roles/index.ts'
import { listInRole } from './noticing/store.ts'

const administrators = 'system:owner'
const peopleMax = 100

/**
 * Only if this program assigned the role: a row that someone else wrote into the database must not make anyone receive
 * alerts.
 */
export async function isAdministrator(world: World, tenantId: number, userId: string): Promise<boolean> {
  const roles = await listRolesOfUser(world, tenantId, userId)
  return roles.some(({ name }) => name === administrators)
}

export async function listAdministrators(db: Reads, world: World, tenantId: number): Promise<string[]> {
  const genuine: string[] = []
  for (const id of await listInRole(db, tenantId, administrators, peopleMax))
    if (await isAdministrator(world, tenantId, id)) genuine.push(id)
  return genuine
}

const contactPrefix = 'contact '

/** A contact of the organization as a reader of messages: contacts need not be users. */
const contactOf = (address: string): string => `${contactPrefix}${address}`

/** The address of a reader who is a contact; null for a user. */
export const contactAddress = (readerId: string): string | null =>
  readerId.startsWith(contactPrefix) ? readerId.slice(contactPrefix.length) : null

/** Contacts who are notified of alerts, in addition to the administrators. */
export const listSecurityContacts = async (db: Reads, world: World, tenantId: number): Promise<string[]> =>
  (await findContacts(world, db, tenantId)).securityEmails.map(contactOf)

/** Contacts who are notified of problems of connectors, in addition to those responsible for them. */
export const listOperationsContacts = async (db: Reads, world: World, tenantId: number): Promise<string[]> =>
  (await findContacts(world, db, tenantId)).operationsEmails.map(contactOf)

/** Who is responsible for a connector: its owners, else those of its app, else the administrators. */
export async function listKeepers(
  db: Reads,
  world: World,
  tenantId: number,
  { connectorId, appId }: { connectorId: string; appId: string },
): Promise<string[]> {
  const moment = { at: world.now(), isNow: true as const }
  const page = { after: '', limit: peopleMax }
  const owners = (kind: 'connector' | 'app', id: string) =>
    listEffectiveOwners(db, tenantId, { object: { kind, appId, typeId: '', id }, roleSlug: 'primary' }, moment, page)
  const ofConnector = await owners('connector', connectorId)
  if (ofConnector.length > 0) return ofConnector
  const ofApp = await owners('app', appId)
  return ofApp.length > 0 ? ofApp : listAdministrators(db, world, tenantId)
}

/** The owners of a service principal, who are responsible for its credentials. */
export const listPrincipalOwners = (db: Reads, world: World, tenantId: number, id: string): Promise<string[]> =>
  listEffectiveOwners(
    db,
    tenantId,
    { object: { kind: 'user', appId: '', typeId: '', id }, roleSlug: 'primary' },
    { at: world.now(), isNow: true },
    { after: '', limit: peopleMax },
  )
