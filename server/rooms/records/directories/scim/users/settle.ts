import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '#kernel/sql.ts'
import { findUserByEmail, type User, type UserSet, updatePerson } from '#rooms/identity/users/index.ts'
import type { Directory } from '../../directory.ts'
import { isToDisable, isToEnable, type Resolved } from '../../people/decide.ts'
import type { Link } from '../../people/said.ts'
import { resolveUser } from '../../people/settle.ts'
import { saidBy, setDeciding } from '../../people/store.ts'
import type { ScimCall } from '../serving.ts'
import { type Deactivated, disable, enable } from './status.ts'
import { findMerged } from './store.ts'
import type { DirectoryUser } from './user.ts'

type Settling = {
  row: DirectoryUser
  user: User
  /** The directories that had them before. */
  links: readonly Link[]
  /** What the directory provided about the person before; null if nothing yet. */
  before: DirectoryUser | null
  isHeldBack: boolean
}
export type Settled = { row: DirectoryUser; fields: string[] }

export const linkOf = ({ appId, rank, ranks, createdAt: since }: Directory, row: DirectoryUser): Link => ({
  appId,
  accountId: row.id,
  userId: row.userId,
  said: saidBy(row.resource),
  managerId: row.managerId,
  isActive: row.isActive,
  isSource: row.isSource,
  isHeld: row.isHeld,
  isDeleted: row.deletedAt !== null,
  deactivatedAt: row.deactivatedAt,
  createdAt: row.createdAt,
  order: { rank, ranks, since },
})

/** Updates the user after one of their directories changed what it provides; returns what changed. */
export async function settle(
  tx: Tx,
  scim: ScimCall,
  { row, user, links, before, isHeldBack }: Settling,
): Promise<Settled> {
  const { call, directory } = scim
  const others = links.filter(({ accountId }) => accountId !== row.id)
  const now = [...others, linkOf(directory, row)]
  const resolved = await withOwnEmail(
    tx,
    call.tenant.id,
    user,
    resolveUser(user, now, links, directory.appId, call.now()),
  )
  const set = differences(tx, user, resolved)
  if (Object.keys(set).length > 0) await updatePerson(tx, call.tenant.id, user.id, { ...set, updated_at: call.now() })
  const isSource = resolved.decider?.accountId === row.id
  await demote(tx, call.tenant.id, others, resolved)
  const followed = await followStatus(tx, scim, {
    row: { ...row, isSource },
    user,
    links,
    now,
    before,
    isHeldBack,
    resolved,
  })
  const fields = [...Object.keys(set).filter((column) => column !== 'sources'), ...followed.fields]
  return { row: { ...row, isSource, ...followed.flags }, fields }
}

/** A user who was merged into this one keeps their email address: both keep their own. */
export async function withOwnEmail(tx: Tx, tenantId: number, user: User, resolved: Resolved): Promise<Resolved> {
  const { email } = resolved.after
  if (email === '' || email.toLowerCase() === user.email.toLowerCase()) return resolved
  const other = await findUserByEmail(tx, tenantId, email)
  if (!other || other.id === user.id || (await findMerged(tx, tenantId, other.id)) !== user.id) return resolved
  return { ...resolved, after: { ...resolved.after, email: user.email, emails: user.emails } }
}

/** Updates which of the other directories decides whether the user may sign in, if that changed. */
export async function demote(tx: Tx, tenantId: number, others: readonly Link[], { decider }: Resolved): Promise<void> {
  const isDecider = ({ accountId }: Link): boolean => accountId === decider?.accountId
  const wrong = others.filter((link) => link.isSource !== isDecider(link))
  await setDeciding(
    tx,
    tenantId,
    wrong.filter((link) => !isDecider(link)),
    false,
  )
  await setDeciding(tx, tenantId, wrong.filter(isDecider), true)
}

type Followed = { flags: Partial<DirectoryUser>; fields: string[] }

async function followStatus(
  tx: Tx,
  { call, directory: { appId } }: ScimCall,
  { row, user, links, now, before, isHeldBack, resolved }: Settling & { now: readonly Link[]; resolved: Resolved },
): Promise<Followed> {
  const at = call.now()
  const wasDecider = links.find(({ isSource, isDeleted }) => isSource && !isDeleted)?.accountId ?? null
  const flags: Partial<DirectoryUser> = row.isActive
    ? { isHeld: false, deactivatedAt: null }
    : row.isSource && (before?.isActive ?? true)
      ? { deactivatedAt: at }
      : {}
  if (isToEnable(user, resolved, now)) {
    await enable(tx, call, user, resolved.decider?.appId ?? appId)
    return { flags, fields: ['status'] }
  }
  if (!isToDisable(user, resolved, wasDecider)) return { flags, fields: [] }
  if (isHeldBack && row.isSource) return { flags: { ...flags, isHeld: true }, fields: ['held'] }
  const outcome: Deactivated = await disable(tx, call, user, resolved.decider?.appId ?? appId)
  return { flags, fields: outcome === 'disabled' ? ['status'] : [] }
}

/** The columns of the user that change, with their values. */
export function differences(tx: Tx, user: User, { after, sources }: Resolved): Record<string, UserSet[string]> {
  const set: Record<string, UserSet[string]> = {}
  const put = (column: string, now: unknown, wanted: UserSet[string] | readonly string[]): void => {
    if (!isDeepStrictEqual(wanted, now)) set[column] = Array.isArray(wanted) ? [...wanted] : (wanted as string)
  }
  put('display_name', user.displayName, after.displayName)
  put('email', user.email, after.email)
  put('emails', user.emails, after.emails)
  put('username', user.username, after.username)
  put('usernames', user.usernames, after.usernames)
  put('employee_ids', user.employeeIds, after.employeeIds)
  put('department', user.department, after.department)
  put('job_title', user.jobTitle, after.jobTitle)
  put('employment_type', user.employmentType, after.employmentType)
  put('employment_status', user.employmentStatus, after.employmentStatus)
  put('manager_ids', user.managerIds, after.managerIds)
  put('directory_status', user.directoryStatus, after.directoryStatus)
  if (!isDeepStrictEqual(after.profile, user.profile)) set['profile'] = tx.json(after.profile)
  if (!isDeepStrictEqual(sources, user.sources)) set['sources'] = tx.json(sources)
  if (user.origin === 'USER_ORIGIN_LOCAL') set['origin'] = 'USER_ORIGIN_DIRECTORY'
  return set
}
