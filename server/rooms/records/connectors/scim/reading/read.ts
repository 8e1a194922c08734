import type { FileWriter } from '#rooms/records/baton/index.ts'
import { findConfig } from '../check.ts'
import { serviceOf } from '../protocol/capabilities.ts'
import type { ScimClient } from '../protocol/client.ts'
import { ScimFailed } from '../protocol/failed.ts'
import type { Json } from '../protocol/json.ts'
import { groupOf, type Member, type ReadGroup, userOf } from './mapped.ts'
import { type PageLimits, readAll } from './pages.ts'

export type ReadingLimits = {
  users: PageLimits
  groups: PageLimits
  /** The most members that the groups of an app may have in total, including those through nested groups. */
  membersMax: number
  userPage: number
  groupPage: number
  /** How many groups are read at once, if they are read one by one. */
  atOnce: number
}

export const readingLimits: ReadingLimits = {
  users: { countMax: 1_000_000, pagesMax: 50_000, passesMax: 3 },
  groups: { countMax: 100_000, pagesMax: 50_000, passesMax: 3 },
  membersMax: 10_000_000,
  userPage: 100,
  groupPage: 20,
  atOnce: 4,
}

/** Reads all users and groups of an app into a connector's file. Returns what the app reports about itself. */
export async function readApp(
  client: ScimClient,
  file: FileWriter,
  limits: ReadingLimits,
  onAnswer: () => void,
): Promise<ReturnType<typeof serviceOf>> {
  const service = serviceOf(await findConfig(client))
  const sized = (wanted: number): number => Math.min(wanted, service.pageMax ?? wanted)
  const users = await readAll(client, {
    path: '/Users',
    what: 'user',
    pageSize: sized(limits.userPage),
    limits: limits.users,
    take(user) {
      onAnswer()
      file.user(userOf(user))
    },
  })
  const members = memberTaker(file, users, limits.membersMax)
  const pageSize = sized(limits.groupPage)
  await readGroups(client, limits, pageSize, (group) => {
    file.group(group)
    members.take(group)
  })
  members.finish()
  return service
}

/**
 * Reads the groups with their members. Apps omit members from lists, all of them or those of empty groups: these groups are
 * read one by one. If a page with members is too large, all groups are.
 */
async function readGroups(
  client: ScimClient,
  { groups: limits, atOnce, userPage }: ReadingLimits,
  pageSize: number,
  take: (group: ReadGroup) => void,
): Promise<void> {
  const incomplete: string[] = []
  const listed = new Set<string>()
  const onGroup = (json: Json): void => {
    const group = groupOf(json)
    if (listed.has(group.id)) return
    listed.add(group.id)
    if (group.members) take(group)
    else incomplete.push(group.id)
  }
  const of = { path: '/Groups', what: 'group', limits, take: onGroup } as const
  try {
    await readAll(client, { ...of, pageSize })
  } catch (error) {
    if (!(error instanceof ScimFailed) || !error.is.isTooLarge) throw error
    await readAll(client, { ...of, pageSize: userPage, query: '&excludedAttributes=members' })
  }
  const readNext = async (): Promise<void> => {
    for (let id = incomplete.pop(); id !== undefined; id = incomplete.pop()) {
      const group = await findGroup(client, id)
      if (group) take(group)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, readNext))
}

/** Null for one that was deleted meanwhile. */
async function findGroup(client: ScimClient, id: string): Promise<ReadGroup | null> {
  try {
    const group = groupOf(await client.get(`/Groups/${encodeURIComponent(id)}`))
    if (group.id !== id) throw new ScimFailed(`GET /Groups/${id.slice(0, 100)} returned another group.`)
    return group
  } catch (error) {
    if (error instanceof ScimFailed && error.is.status === 404) return null
    throw error
  }
}

const depthMax = 50

/** Writes members to the file; those of nested groups at the end, when all groups are known. */
function memberTaker(file: FileWriter, users: ReadonlySet<string>, countMax: number) {
  const groups = new Set<string>()
  const inner = new Map<string, Set<string>>()
  const unsaid: [groupId: string, memberId: string][] = []
  let count = 0
  const counted = (more: number): void => {
    count += more
    if (count > countMax)
      throw new ScimFailed(`The groups of the app have more than ${countMax} members, which is too many.`)
  }
  const nest = (outerId: string, innerId: string): void => {
    const of = inner.get(outerId)
    if (of) of.add(innerId)
    else inner.set(outerId, new Set([innerId]))
  }
  const place = (groupId: string, { id, is }: Member): void => {
    if (is === 'group' && !users.has(id)) nest(groupId, id)
    else if (is === 'user' || users.has(id)) file.member(groupId, id)
    else unsaid.push([groupId, id])
  }
  /** All groups in a group, and in those, once each. */
  const within = (outerId: string): string[] => {
    const found = new Set<string>()
    let ring = [outerId]
    for (let depth = 0; ring.length > 0 && depth < depthMax; depth++) {
      const next: string[] = []
      for (const id of ring)
        for (const innerId of inner.get(id) ?? []) {
          if (innerId === outerId || found.has(innerId)) continue
          found.add(innerId)
          next.push(innerId)
        }
      ring = next
    }
    return [...found]
  }
  return {
    take({ id, members }: ReadGroup): void {
      groups.add(id)
      counted(members?.length ?? 0)
      const seen = new Set<string>()
      for (const member of members ?? []) {
        if (seen.has(member.id)) continue
        seen.add(member.id)
        place(id, member)
      }
    },
    finish(): void {
      for (const [groupId, id] of unsaid) {
        if (groups.has(id)) nest(groupId, id)
        // A member whom the app does not list as a user: left out of the import, and counted.
        else file.member(groupId, id)
      }
      for (const outerId of inner.keys()) counted(file.nest(outerId, within(outerId), countMax - count))
    },
  }
}
