import { isDeepStrictEqual } from 'node:util'
import type { Tenancy } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { lockUsers, type User } from '#rooms/identity/users/index.ts'
import { isToDisable, isToEnable, type Known, type Resolved, resolve, sourcesOf } from './decide.ts'
import type { Link, Said } from './said.ts'
import { listLinksOf, listTakenEmails, type PersonUpdate, setDeciding, updatePeople } from './store.ts'

/** The effect of the directories' values on a user. */
export type Settled = {
  user: User
  /** Names of attributes that changed. */
  fields: string[]
  isToDisable: boolean
  isToEnable: boolean
  /** The directory that decides whether they may sign in; empty if none has them. */
  decider: string
  /** Their email address could not become what a directory provides: this user has it. */
  emailTakenBy: string
}

type Settling = { tx: Tx; world: Pick<World, 'now'>; tenant: Tenancy }

/** The state before the change, by user. `acting` is the directory that changed. */
type Before = {
  acting: string
  links: ReadonlyMap<string, readonly Link[]>
}

export const byUser = (links: readonly Link[]): Map<string, Link[]> => Map.groupBy(links, ({ userId }) => userId)

/**
 * Updates users from their directories: attributes at once, and whether they may sign in as the caller decides, who knows
 * how many others are affected. A few statements for any number of users.
 */
export async function settlePeople(
  { tx, world, tenant }: Settling,
  userIds: readonly string[],
  { acting, links: linksBefore }: Before,
): Promise<Settled[]> {
  if (userIds.length === 0) return []
  const at = world.now()
  const users = await lockUsers(tx, tenant.id, userIds, at)
  const links = byUser(
    await listLinksOf(
      tx,
      tenant.id,
      users.map(({ id }) => id),
    ),
  )
  const resolved = users.map((user) => {
    const now = links.get(user.id) ?? []
    const before = linksBefore.get(user.id) ?? now
    return { user, now, before, ...resolveUser(user, now, before, acting, at) }
  })
  const taken = await refuseTakenEmails(tx, tenant.id, resolved)
  const updates: PersonUpdate[] = []
  for (const { user, after, sources } of resolved)
    if (!isDeepStrictEqual(knownOf(user), after) || !isDeepStrictEqual(user.sources, sources))
      updates.push({ user: after, sources })
  await updatePeople(tx, tenant.id, updates, at)
  await decideAnew(tx, tenant.id, resolved)
  return resolved.map(({ user, now, before, ...each }) => ({
    user,
    fields: each.changed,
    isToDisable: isToDisable(user, each, deciderOf(before)),
    isToEnable: isToEnable(user, each, now),
    decider: each.decider?.appId ?? '',
    emailTakenBy: taken.get(user.id) ?? '',
  }))
}

const deciderOf = (links: readonly Link[]): string | null =>
  links.find(({ isSource, isDeleted }) => isSource && !isDeleted)?.accountId ?? null

export function resolveUser(
  user: User,
  links: readonly Link[],
  before: readonly Link[],
  acting: string,
  at: Date,
): Resolved {
  // Values from a directory that was removed altogether stay.
  const known = Object.entries(sourcesOf(user.sources, before)).filter(
    ([, [appId]]) => appId === acting || links.some((link) => link.appId === appId),
  )
  const said: Said[] = before.filter(({ isDeleted }) => !isDeleted).map((link) => link.said)
  return resolve(knownOf(user), links, { sources: Object.fromEntries(known), said }, at)
}

const knownOf = (user: User): Known => ({
  id: user.id,
  displayName: user.displayName,
  email: user.email,
  emails: user.emails,
  username: user.username,
  usernames: user.usernames,
  employeeIds: user.employeeIds,
  department: user.department,
  jobTitle: user.jobTitle,
  employmentType: user.employmentType,
  employmentStatus: user.employmentStatus,
  managerIds: user.managerIds,
  directoryStatus: user.directoryStatus,
  profile: user.profile,
})

/**
 * Two people cannot sign in with the same email address: if another user has it, the user keeps their current one. Returns
 * who has it, by user.
 */
async function refuseTakenEmails(
  tx: Tx,
  tenantId: number,
  resolved: (Resolved & { user: User })[],
): Promise<Map<string, string>> {
  const taken = new Map<string, string>()
  const isChanged = ({ user, after }: Resolved & { user: User }): boolean =>
    after.email !== '' && after.email.toLowerCase() !== user.email.toLowerCase()
  for (;;) {
    const changing = resolved.filter(isChanged)
    if (changing.length === 0) return taken
    const having = new Map(resolved.map(({ user, after }) => [user.id, after.email.toLowerCase()]))
    const holders = await listTakenEmails(
      tx,
      tenantId,
      changing.map(({ after }) => after.email),
      changing.map(({ user }) => user.id),
    )
    const ids = new Set(changing.map(({ user }) => user.id))
    const seen = new Map([...having].filter(([id]) => !ids.has(id)).map(([id, email]) => [email, id]))
    let isAny = false
    for (const each of changing) {
      const email = each.after.email.toLowerCase()
      const other = holders.get(email) ?? seen.get(email)
      if (other === undefined) {
        seen.set(email, each.user.id)
        continue
      }
      taken.set(each.user.id, other)
      each.after = { ...each.after, email: each.user.email, emails: each.user.emails }
      each.changed = each.changed.filter((name) => name !== 'email')
      isAny = true
    }
    // A user who keeps their address may now conflict with another.
    if (!isAny) return taken
  }
}

async function decideAnew(
  tx: Tx,
  tenantId: number,
  resolved: readonly (Resolved & { now: readonly Link[] })[],
): Promise<void> {
  const isDecider = (each: (typeof resolved)[number], link: Link): boolean =>
    each.decider?.accountId === link.accountId && each.decider.appId === link.appId
  const all = resolved.flatMap((each) => each.now.map((link) => ({ link, is: isDecider(each, link) })))
  const wrong = all.filter(({ link, is }) => link.isSource !== is)
  await setDeciding(
    tx,
    tenantId,
    wrong.filter(({ is }) => !is).map(({ link }) => link),
    false,
  )
  await setDeciding(
    tx,
    tenantId,
    wrong.filter(({ is }) => is).map(({ link }) => link),
    true,
  )
}
