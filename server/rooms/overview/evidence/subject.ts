import type { Call } from '#kernel/routes.ts'
import type { AccessData } from '#rooms/foundation/evidence/index.ts'
import { findUser } from '#rooms/identity/users/index.ts'
import { appNotFound } from '#rooms/records/apps/index.ts'
import { slugOf } from '../lists/index.ts'
import { nameThings } from '../names/index.ts'

/** What a pack is about: in words, and in names of files. */
export type Subject = Pick<AccessData['subject'], 'kind' | 'words'> & { slug: string }

/** Names without a single letter that file names have are replaced by the id. */
const named = (kind: Subject['kind'], words: string, what: string, name: string, id: string): Subject => ({
  kind,
  words,
  slug: `${what}-${slugOf(name) || id}`.toLowerCase(),
})

export async function entitlementSubject(call: Call, appId: string, id: string): Promise<Subject> {
  const things = await nameThings(call.db, call.tenant.id, [id])
  const found = things.find((each) => each.type === 'entitlement' && each.appId === appId)
  const name = found ? `${found.displayName} (${found.appName})` : id
  return named('entitlement', `the members of ${name}`, 'members', name, id)
}

export async function appSubject(call: Call, appId: string): Promise<Subject> {
  const things = await nameThings(call.db, call.tenant.id, [appId])
  const app = things.find(({ type }) => type === 'app')
  if (!app) throw appNotFound(appId)
  const name = app.displayName
  return named('app', `everyone's access in ${name}`, 'access-in', name, appId)
}

/** Only for callers who were shown that this user exists. */
export async function userSubject(call: Call, userId: string): Promise<Subject> {
  const user = await findUser(call.db, call.tenant.id, userId, call.now())
  const name = user?.displayName ?? userId
  return named('user', `the access of ${name}`, 'access-of', name, userId)
}

export const listSubject = (): Subject => ({ kind: 'list', words: 'a list of grants', slug: 'grants' })
