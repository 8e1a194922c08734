import type { Reads, Tx } from '#kernel/sql.ts'
import { updateDescribed } from '#rooms/identity/users/index.ts'
import type { Resource } from '../resource.ts'
import type { Known } from './decide.ts'
import { managerOf, personOf } from './person.ts'
import type { Link, Order, Said, Sources } from './said.ts'

type LinkRow = Omit<Link, 'said' | 'order'> & { resource: Resource } & Omit<Order, 'since'> & {
    ofDirectory: Date
  }

/** The values that a SCIM user provides about their person. */
export const saidBy = (resource: Resource): Said => ({
  ...personOf(resource),
  employmentStatus: '',
  manager: managerOf(resource),
})

const linkOf = ({ resource, rank, ranks, ofDirectory, ...row }: LinkRow): Link => ({
  ...row,
  // An app that used SCIM before may have both kinds.
  said: 'employeeIds' in resource ? (resource as unknown as Said) : saidBy(resource),
  order: { rank, ranks, since: ofDirectory },
})

const linkColumns = (db: Reads) => db`
  x.app_id as "appId", x.account_id as "accountId", x.user_id as "userId", x.resource, x.manager_id as "managerId",
  x.is_active as "isActive", x.is_source as "isSource", x.is_held as "isHeld", x.deleted_at is not null as "isDeleted",
  x.deactivated_at as "deactivatedAt", x.created_at as "createdAt", d.rank, d.ranks, d.created_at as "ofDirectory"`

/** The directories of users: existing accounts, and deleted ones whose deletion is held. */
export async function listLinksOf(db: Reads, tenantId: number, userIds: readonly string[]): Promise<Link[]> {
  if (userIds.length === 0) return []
  const [one, ...others] = new Set(userIds)
  const which = others.length === 0 ? db`= ${one as string}` : db`= any(${[one as string, ...others]}::text[])`
  const rows = await db<LinkRow[]>`
    select ${linkColumns(db)}
    from directory_users x
    join directories d on d.tenant_id = ${tenantId} and d.app_id = x.app_id and d.deleted_at is null
    join apps a on a.tenant_id = ${tenantId} and a.app_id = x.app_id and a.deleted_at is null
    where x.tenant_id = ${tenantId} and x.user_id ${which} and (x.deleted_at is null or x.is_held)
    order by x.account_id`
  return rows.map(linkOf)
}

/** People of a directory, whether or not it still exists, by id. */
export async function listPeopleOf(
  db: Reads,
  tenantId: number,
  appId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db<{ userId: string }[]>`
    select distinct user_id as "userId" from directory_users
    where tenant_id = ${tenantId} ${appId === '' ? db`` : db`and app_id = ${appId}`} and user_id > ${after}
      and deleted_at is null
    order by user_id limit ${limit}`
  return rows.map(({ userId }) => userId)
}

export type PersonUpdate = { user: Known; sources: Sources }

/** Writes the values that directories provide about people. */
export async function updatePeople(tx: Tx, tenantId: number, people: readonly PersonUpdate[], at: Date): Promise<void> {
  if (people.length === 0) return
  const rows = people.map(({ user, sources }) => ({
    user_id: user.id,
    display_name: user.displayName,
    email: user.email,
    emails: user.emails,
    username: user.username,
    usernames: user.usernames,
    employee_ids: user.employeeIds,
    department: user.department,
    job_title: user.jobTitle,
    employment_type: user.employmentType,
    employment_status: user.employmentStatus,
    manager_ids: user.managerIds,
    directory_status: user.directoryStatus,
    profile: user.profile,
    sources,
  }))
  await updateDescribed(tx, tenantId, rows, at)
}

/** The users who have these email addresses, other than the given ones. */
export async function listTakenEmails(
  db: Reads,
  tenantId: number,
  emails: readonly string[],
  exceptIds: readonly string[],
): Promise<Map<string, string>> {
  if (emails.length === 0) return new Map()
  const rows = await db<{ email: string; userId: string }[]>`
    select lower(email) as email, user_id as "userId" from users
    where tenant_id = ${tenantId} and lower(email) = any(${emails.map((email) => email.toLowerCase())}::text[])
      and email <> '' and deleted_at is null and not user_id = any(${exceptIds}::text[])`
  return new Map(rows.map(({ email, userId }) => [email, userId]))
}

/** Sets whether links decide the status of their users. */
export async function setDeciding(tx: Tx, tenantId: number, links: readonly Link[], isSource: boolean): Promise<void> {
  if (links.length === 0) return
  await tx`
    update directory_users x set is_source = ${isSource}
    from unnest(${links.map(({ appId }) => appId)}::text[], ${links.map(({ accountId }) => accountId)}::text[])
      as w (app_id, account_id)
    where x.tenant_id = ${tenantId} and x.app_id = w.app_id and x.account_id = w.account_id`
}

/** The Super Administrators among the users: each of them may be the last. */
export async function listOwnersAmong(db: Reads, tenantId: number, userIds: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ userId: string }[]>`
    select ur.user_id as "userId" from user_roles ur
    join roles r on r.tenant_id = ${tenantId} and r.role_id = ur.role_id
    where ur.tenant_id = ${tenantId} and r.name = 'system:owner' and ur.user_id = any(${userIds}::text[])`
  return new Set(rows.map(({ userId }) => userId))
}

/** The names of directories, by app. */
export async function listDirectoryNames(
  db: Reads,
  tenantId: number,
  appIds: readonly string[],
): Promise<Map<string, string>> {
  if (appIds.length === 0) return new Map()
  const rows = await db<{ id: string; name: string }[]>`
    select app_id as id, display_name as name from apps
    where tenant_id = ${tenantId} and app_id = any(${[...new Set(appIds)]}::text[])`
  return new Map(rows.map(({ id, name }) => [id, name]))
}
