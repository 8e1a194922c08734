import type { Reads } from '#kernel/sql.ts'
import { isPrincipalRow } from '#rooms/identity/users/index.ts'

export type PersonRow = {
  id: string
  isEnabled: boolean
  /** A service principal decides nothing: otherwise whoever controls it could decide with it. */
  isPrincipal: boolean
  managerIds: readonly string[]
  delegateId: string | null
  delegateIsEnabled: boolean
  delegateSince: Date | null
  /** Whether they named the delegate themselves. */
  hasNamedDelegate: boolean
  /** Since when they have their email address and their status; null where they always had. */
  emailSince: Date | null
  statusSince: Date | null
  delegateEmailSince: Date | null
  delegateStatusSince: Date | null
  /** When they signed in for the first time by an invitation; null if it was not by one. */
  invitedSince: Date | null
  delegateInvitedSince: Date | null
}

/** Some users, with their present delegates; including deleted ones, who cannot act. */
export async function listPeople(db: Reads, tenantId: number, ids: readonly string[], at: Date): Promise<PersonRow[]> {
  const [one, ...others] = new Set(ids)
  if (one === undefined) return []
  // A single id is compared with `=`: PostgreSQL caches the plan for it, but plans again for each list, which took ten times
  // as long.
  const which = others.length === 0 ? db`= ${one}` : db`= any(${[one, ...others]}::text[])`
  return db<PersonRow[]>`
    select ${personColumns(db)} from users u ${whoAnswers(db, tenantId, at)}
    where u.tenant_id = ${tenantId} and u.user_id ${which}`
}

const personColumns = (db: Reads) => db`
  u.user_id as id, u.status = 'ENABLED' and u.deleted_at is null as "isEnabled", ${isPrincipalRow(db, 'u')} as "isPrincipal", u.manager_ids as "managerIds",
  d.delegated_user_id as "delegateId", d.created_at as "delegateSince",
  coalesce(d.named_by = u.user_id, false) as "hasNamedDelegate",
  u.email_since as "emailSince", u.status_since as "statusSince",
  p.email_since as "delegateEmailSince", p.status_since as "delegateStatusSince",
  case when f.invited_at is not null then f.signed_in_at end as "invitedSince",
  case when pf.invited_at is not null then pf.signed_in_at end as "delegateInvitedSince",
  coalesce(p.status = 'ENABLED' and p.deleted_at is null and not ${isPrincipalRow(db, 'p')}, false) as "delegateIsEnabled"`

const whoAnswers = (db: Reads, tenantId: number, at: Date) => db`
  left join user_delegations d on d.tenant_id = ${tenantId} and d.user_id = u.user_id
    and (d.start_at is null or d.start_at <= ${at}) and (d.expiration_at is null or d.expiration_at > ${at})
  left join users p on p.tenant_id = ${tenantId} and p.user_id = d.delegated_user_id
  left join first_sign_ins f on f.tenant_id = ${tenantId} and f.user_id = u.user_id
  left join first_sign_ins pf on pf.tenant_id = ${tenantId} and pf.user_id = d.delegated_user_id`

/** The subject of a task, with their managers: the ids that are stored, and those that are users. */
export type SubjectRow = {
  id: string
  displayName: string
  isEnabled: boolean
  managerIds: readonly string[]
  /** Since when these are their managers. */
  managersSince: Date
  managers: readonly PersonRow[]
}

/** In one statement: the subject has to exist, and usually their manager decides. Null if the subject does not exist. */
export async function findSubject(db: Reads, tenantId: number, userId: string, at: Date): Promise<SubjectRow | null> {
  type Row = Omit<PersonRow, 'id'> & {
    id: string | null
    name: string
    isAble: boolean
    named: readonly string[]
    since: Date
  }
  const rows = await db<Row[]>`
    select s.display_name as name, s.status = 'ENABLED' and s.deleted_at is null as "isAble", s.manager_ids as named,
      coalesce(s.managers_since, s.created_at) as since,
      ${personColumns(db)}
    from users s
    left join lateral unnest(s.manager_ids) with ordinality as m (id, place) on true
    left join users u on u.tenant_id = ${tenantId} and u.user_id = m.id
    ${whoAnswers(db, tenantId, at)}
    where s.tenant_id = ${tenantId} and s.user_id = ${userId} order by m.place`
  const [first] = rows
  if (!first) return null
  const managers = rows.flatMap(({ id, name: _name, isAble: _able, named: _named, since: _since, ...person }) =>
    id === null ? [] : [{ ...person, id }],
  )
  const { name: displayName, isAble: isEnabled, named: managerIds, since: managersSince } = first
  return { id: userId, displayName, isEnabled, managerIds, managersSince, managers }
}

/** Whether the account that a task names exists and belongs to its subject. */
export async function isAccountOf(
  db: Reads,
  tenantId: number,
  { appId, accountId, subjectUserId }: { appId: string; accountId: string; subjectUserId: string },
): Promise<boolean> {
  const rows = await db`
    select 1 from accounts a
    where a.tenant_id = ${tenantId} and a.app_id = ${appId} and a.account_id = ${accountId}
      and coalesce(a.user_id, '') = ${subjectUserId} and a.deleted_at is null`
  return rows.length > 0
}

/**
 * Members count if they had the access by then with the same account, or if one of these people has granted it manually
 * since.
 */
export type Chosen = { before: Date; by: readonly string[] }

/** Users who hold an entitlement now; one more than `limit` if there are more. */
export async function listHoldingPeople(
  db: Reads,
  tenantId: number,
  { appId, id }: { appId: string; id: string },
  { at, limit, chosen = null }: { at: Date; limit: number; chosen?: Chosen | null },
): Promise<string[]> {
  // Extending access restates it, and does not count as a grant by the person who granted it first.
  const isChosen =
    chosen &&
    db`(a.user_since is null or a.user_since <= g.began_at) and (g.began_at < ${chosen.before}
      or (g.source = 'manual' and g.granted_at = g.began_at and g.granted_by = any(${chosen.by}::text[])))`
  const rows = await db<{ userId: string }[]>`
    select distinct a.user_id as "userId"
    from grants g
    join accounts a on a.tenant_id = ${tenantId} and a.app_id = g.app_id and a.account_id = g.account_id
    where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = ${id} and g.ended_at is null
      and (g.expires_at is null or g.expires_at > ${at}) and a.user_id is not null and a.deleted_at is null
      ${isChosen ? db`and ${isChosen}` : db``}
    order by a.user_id limit ${limit + 1}`
  return rows.map(({ userId }) => userId)
}

/** Enabled users with a built-in role by its name. Whether the assignments are genuine is checked by the caller. */
export async function listUsersInRole(db: Reads, tenantId: number, role: string, limit: number): Promise<string[]> {
  const rows = await db<{ userId: string }[]>`
    select u.user_id as "userId" from roles r
    join user_roles a on a.tenant_id = ${tenantId} and a.role_id = r.role_id
    join users u on u.tenant_id = ${tenantId} and u.user_id = a.user_id
    where r.tenant_id = ${tenantId} and r.name = ${role} and u.status = 'ENABLED' and u.deleted_at is null
      and not ${isPrincipalRow(db, 'u')}
    order by u.user_id limit ${limit}`
  return rows.map(({ userId }) => userId)
}
