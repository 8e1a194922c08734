import { mayEverywhere } from '#authority/may.ts'
import { asService, type May } from '#authority/proof.ts'
import { sightOf } from '#authority/sight/index.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import {
  addEntitlementOwners,
  addUserOwners,
  endOwnersInRole,
  type ObjectRef,
  type OwnerRow,
  type Owners,
  type OwnersChange,
  primary,
  type RoleRef,
} from '#rooms/foundation/ownership/index.ts'
import { causeOf, change, record } from '#rooms/foundation/systemlog/index.ts'
import { proveOwners } from '#rooms/identity/principals/index.ts'
import type { FirstOwners, MadeObject } from '#rooms/records/apps/index.ts'
import { refuseUnseen } from '#rooms/records/apps/index.ts'
import type { Moment } from '#rooms/records/grants/index.ts'
import { distinct, ownersProblems, refsMax, roleProblem } from './decide.ts'
import { objectNotFound, ownersNotFound } from './refuse.ts'
import { findAccountsOf, findObject, holdingEntitlements, holdingUsers, lockObject } from './store/objects.ts'
import { insertOrder, listNamedInOrder } from './store/order.ts'

const now: Pick<Moment, 'isNow'> = { isNow: true }

/**
 * The object that a path names, if it exists; for the past also if it has been deleted since. An account is named by its own
 * id, or by its user's if that user has only one account in the app.
 */
export async function getObject(
  db: Reads,
  call: Call,
  named: ObjectRef,
  { isNow } = now,
): Promise<{ object: ObjectRef }> {
  const found = await findObject(db, call.tenant.id, named)
  if (found && !(isNow && found.isDeleted)) return { object: named }
  if (named.kind !== 'account') throw objectNotFound(named)
  const { appId, id: userId } = named
  const [accountId, other] = await findAccountsOf(db, call.tenant.id, { appId, userId }, isNow)
  if (accountId === undefined) throw objectNotFound(named)
  if (other !== undefined)
    throw new Refusal(
      'ACCOUNT_AMBIGUOUS',
      `The user ${userId} has several accounts in the app ${appId}; specify one.`,
      {
        metadata: { appId, userId },
      },
    )
  return { object: { ...named, id: accountId } }
}

/** Callers cannot see the owners of an object that they cannot see: the response is as if it did not exist. */
export async function refuseUnseenOwners(call: Call, { kind, appId, typeId, id }: ObjectRef): Promise<void> {
  if (kind === 'app') return refuseUnseen(call, 'owners.read', { app: id })
  if (kind === 'entitlement') return refuseUnseen(call, 'owners.read', { app: appId, entitlement: id })
  if (kind === 'resource') return refuseUnseen(call, 'owners.read', { app: appId, resourceType: typeId, resource: id })
}

/** The requested owners: exactly these, these in addition, or no longer these. */
export type Wanted = { set: Owners } | { add: Owners } | { remove: Owners }

export type Changed = { object: ObjectRef; added: OwnerRow[]; removed: OwnerRow[] }

/** Changes the owners of an object in one role. Owners who are set already are unchanged, and not recorded. */
export async function changeOwners(
  tx: Tx,
  call: May<OwnersChange>,
  named: ObjectRef,
  roleSlug: string,
  wanted: Wanted,
): Promise<Changed> {
  const tenantId = call.tenant.id
  const object = named.kind === 'account' ? (await getObject(tx, call, named)).object : named
  const role = { object, roleSlug }
  const found = await lockObject(tx, tenantId, role)
  if (!found || found.isDeleted) throw objectNotFound(named)
  // Read under the lock, so that it is later than every earlier change: no two states have the same time.
  const doing = { at: call.now(), by: call.actor.userId }
  const coming = 'set' in wanted ? distinct(wanted.set) : 'add' in wanted ? distinct(wanted.add) : nobody
  const going = 'set' in wanted ? { allBut: coming } : 'remove' in wanted ? { only: wanted.remove } : null
  // Sent together: they are independent of each other.
  const [removed, users, entitlements] = await Promise.all([
    going ? endOwnersInRole(tx, call, role, going, doing) : [],
    addUserOwners(tx, call, role, {
      ...doing,
      keys: coming.userIds,
      changeId: call.newId(),
      holding: (userIds) => holdingUsers(tx, tenantId, userIds),
    }),
    addEntitlementOwners(tx, call, role, {
      ...doing,
      keys: coming.entitlements,
      changeId: call.newId(),
      holding: (refs) => holdingEntitlements(tx, tenantId, refs),
    }),
  ])
  if (object.kind === 'user') {
    const owning = { principalId: object.id, roleSlug, userIds: coming.userIds }
    await proveOwners(tx, call, owning, users.opened.length + entitlements.opened.length)
  }
  await refuseUnseenEntitlements(tx, call, entitlements.opened)
  if (users.unknown.length > 0 || entitlements.unknown.length > 0)
    throw ownersNotFound({ userIds: users.unknown, entitlements: entitlements.unknown })
  const added = [...users.opened, ...entitlements.opened]
  await Promise.all([
    'set' in wanted ? keepOrder(tx, call, role, coming.userIds, doing.at) : null,
    recordOwnerChange(tx, call, role, found.name, { added, removed }),
  ])
  return { object, added, removed }
}

/**
 * Clients read the ids back in the order in which they set them. Mostly that is the order in which they were added, and
 * nothing needs to be stored.
 */
async function keepOrder(tx: Tx, call: Call, role: RoleRef, userIds: readonly string[], at: Date): Promise<void> {
  if (userIds.length < 2) return
  const named = await listNamedInOrder(tx, call.tenant.id, role, { at, isNow: true }, refsMax)
  if (named.every(({ userId }, place) => userId === userIds[place])) return
  const idOf = new Map(named.map(({ id, userId }) => [userId, id]))
  const ownerIds = userIds.flatMap((userId) => idOf.get(userId) ?? [])
  await insertOrder(tx, call.tenant.id, role, ownerIds, { at, changeId: call.newId() })
}

/** Sets the first owners of an object that the same transaction created: see `NameOwners` in rooms/apps. */
export async function nameOwners(tx: Tx, call: Call, made: MadeObject, owners: FirstOwners): Promise<void> {
  if (owners.userIds.length + owners.entitlements.length === 0) return
  refuseWrong({ roleField: 'roleSlug' }, primary, owners)
  const their = asService(call, 'owners.change', 'who creates a thing names its first owners: mayNameOwners')
  await changeOwners(tx, their, made, primary, { set: owners })
}

/**
 * Naming an entitlement as an owner reveals who holds it: the caller must own it, or be allowed to see everything. For other
 * callers the response is as if it did not exist.
 */
async function refuseUnseenEntitlements(tx: Tx, call: Call, opened: readonly OwnerRow[]): Promise<void> {
  if (mayEverywhere(call.actor, 'entitlements.read') && mayEverywhere(call.actor, 'grants.read')) return
  const refs = opened.flatMap(({ entitlement }) => entitlement ?? [])
  if (refs.length === 0) return
  const seen = await sightOf(call, tx).entitlements(refs)
  const unseen = refs.filter(({ appId, id }) => seen.get(`${appId}/${id}`) !== 'owned')
  if (unseen.length > 0) throw ownersNotFound({ userIds: [], entitlements: unseen })
}

const nobody: Owners = { userIds: [], entitlements: [] }

/** What is wrong with a request to change owners, before anything is looked up. */
export function refuseWrong(fields: { roleField: string }, roleSlug: string, owners: Owners = nobody): void {
  const [first, ...others] = [roleProblem(fields.roleField, roleSlug), ...ownersProblems(owners)].filter(
    (problem) => problem !== null,
  )
  if (first) throw invalid(first, ...others)
}

const touchedPerEvent = 100

async function recordOwnerChange(
  tx: Tx,
  call: Call,
  { object, roleSlug }: RoleRef,
  name: string,
  { added, removed }: Pick<Changed, 'added' | 'removed'>,
): Promise<void> {
  const { kind, appId, typeId, id } = object
  const data = {
    roleSlug,
    ...(appId !== '' && kind !== 'app' && { appId }),
    ...(typeId !== '' && { appResourceTypeId: typeId }),
  }
  const of = { type: kind, id, name, data }
  const owner = (isNew: boolean) => (row: OwnerRow) => ({
    type: 'owner',
    id: row.id,
    data: { change: isNew ? 'added' : 'removed', ...onLog(row) },
  })
  const touched = [...removed.map(owner(false)), ...added.map(owner(true))]
  const activity = removed.length === 0 ? 'create' : added.length === 0 ? 'delete' : 'update'
  const message = `Changed who owns the ${kind} ${name} in the role ${roleSlug}`
  const events = Array.from({ length: Math.ceil(touched.length / touchedPerEvent) }, (_, i) =>
    change(causeOf(call), activity, message, [of, ...touched.slice(i * touchedPerEvent, (i + 1) * touchedPerEvent)]),
  )
  if (events.length > 0) await record(tx, call, call, ...events)
}

const onLog = ({ userId, entitlement }: OwnerRow): object =>
  entitlement ? { appId: entitlement.appId, appEntitlementId: entitlement.id } : { userId }
