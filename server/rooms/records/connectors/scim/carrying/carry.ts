import type { ScimClient } from '../protocol/client.ts'
import { ScimFailed } from '../protocol/failed.ts'
import { attribute, idOf, isFalse, isObject, type Json, listOf } from '../protocol/json.ts'
import { groupOf } from '../reading/mapped.ts'
import { loginOf, type Person, scimUserOf } from './person.ts'

const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** A value in a filter or path (RFC 7644 section 3.4.2.2): as JSON has it. */
const quoted = (value: string): string => JSON.stringify(value)
const pathOf = (kind: 'Users' | 'Groups', id: string): string => `/${kind}/${encodeURIComponent(id)}`

/** All of these can be done twice with the same result, so they are repeated after an error of the app. */
const patch = (client: ScimClient, path: string, ...operations: Json[]): Promise<Json | null> =>
  client.ask({ method: 'PATCH', path, body: { schemas: [patchSchema], Operations: operations }, isRepeatable: true })

/** A user who is not found may be removed already, or the address may be wrong: the next sync shows which. */
const gone = ({ message, is }: ScimFailed): ScimFailed => new ScimFailed(message, { ...is, mayBeDone: true })

export async function addMember(client: ScimClient, groupId: string, userId: string): Promise<void> {
  try {
    await patch(client, pathOf('Groups', groupId), { op: 'add', path: 'members', value: [{ value: userId }] })
  } catch (error) {
    // Some apps respond with 409 if the user is a member already.
    if (!(error instanceof ScimFailed) || error.is.status !== 409 || !(await isMember(client, groupId, userId)))
      throw error
  }
}

const isMember = async (client: ScimClient, groupId: string, userId: string): Promise<boolean> =>
  (await membersOf(client, groupId)).includes(userId)

async function membersOf(client: ScimClient, groupId: string): Promise<string[]> {
  const { members } = groupOf(await client.get(pathOf('Groups', groupId)))
  return (members ?? []).map(({ id }) => id)
}

/**
 * Removes a member by a path with a filter, according to RFC 7644 section 3.5.2.2. Apps that do not understand it are sent
 * the member as a value. Others understand that as all members, so the result is checked, and the others are added again.
 */
export async function removeMember(client: ScimClient, groupId: string, userId: string): Promise<void> {
  const path = pathOf('Groups', groupId)
  try {
    await patch(client, path, { op: 'remove', path: `members[value eq ${quoted(userId)}]` })
  } catch (error) {
    if (!(error instanceof ScimFailed)) throw error
    const { status, scimType } = error.is
    if (status === 404) throw gone(error)
    const isNotUnderstood = status === 501 || (status === 400 && !/mutability|sensitive/i.test(scimType))
    if (!isNotUnderstood) throw error
    const before = await membersOf(client, groupId)
    if (!before.includes(userId)) return
    await patch(client, path, { op: 'remove', path: 'members', value: [{ value: userId }] })
    const after = new Set(await membersOf(client, groupId))
    const lost = before.filter((id) => id !== userId && !after.has(id))
    if (lost.length > 0) {
      await patch(client, path, { op: 'add', path: 'members', value: lost.map((value) => ({ value })) })
      throw new ScimFailed(
        `The app removed all members of the group instead of one. ${lost.length} of them were added again. Remove the member in the app.`,
      )
    }
    if (after.has(userId)) throw new ScimFailed('The app reported success, but the member is still in the group.')
  }
}

/** A person's account in the app. */
export type Account = { user: Json; id: string; isNew: boolean }

/** Creates an account, or finds the one that the person already has, and enables it. */
export async function createUser(client: ScimClient, person: Person): Promise<Account | null> {
  try {
    const user = await client.ask({ method: 'POST', path: '/Users', body: scimUserOf(person), isRepeatable: false })
    // Created, but the response does not say as what: the next sync shows it.
    if (!user || typeof attribute(user, 'id') !== 'string') return null
    return { user, id: idOf(user, 'user'), isNew: true }
  } catch (error) {
    if (!(error instanceof ScimFailed) || error.is.status !== 409) throw error
    const found = await findUser(client, person)
    if (!found) throw error
    const id = idOf(found, 'user')
    if (!isFalse(attribute(found, 'active'))) return { user: found, id, isNew: false }
    await setActive(client, id, true)
    return { user: { ...found, active: true }, id, isNew: false }
  }
}

/** The account of a person, if the app has exactly one with their name, or with this server's id of them. */
async function findUser(client: ScimClient, person: Person): Promise<Json | null> {
  for (const [name, value] of [
    ['userName', loginOf(person)],
    ['externalId', person.id],
  ] as const) {
    const query = `/Users?startIndex=1&count=2&filter=${encodeURIComponent(`${name} eq ${quoted(value)}`)}`
    const found = (listOf(await client.get(query), 'Resources', 'GET /Users') ?? []).filter(isObject)
    // An app that ignores filters responds with arbitrary users.
    const same = found.filter((user) => {
      const has = attribute(user, name)
      return typeof has === 'string' && has.toLowerCase() === value.toLowerCase()
    })
    if (same.length === 1) return same[0] as Json
  }
  return null
}

const setActive = async (client: ScimClient, userId: string, isActive: boolean): Promise<void> => {
  await patch(client, pathOf('Users', userId), { op: 'replace', path: 'active', value: isActive })
}

/** Removes an account: by deleting it, or by disabling it. */
export async function removeUser(
  client: ScimClient,
  userId: string,
  { isDeleting }: { isDeleting: boolean },
): Promise<void> {
  try {
    if (isDeleting) await client.ask({ method: 'DELETE', path: pathOf('Users', userId), isRepeatable: true })
    else await disable(client, userId)
  } catch (error) {
    throw error instanceof ScimFailed && error.is.status === 404 ? gone(error) : error
  }
}

/** Some apps accept `active` only in an operation without a path. */
async function disable(client: ScimClient, userId: string): Promise<void> {
  try {
    await setActive(client, userId, false)
  } catch (error) {
    if (!(error instanceof ScimFailed) || error.is.status !== 400) throw error
    await patch(client, pathOf('Users', userId), { op: 'replace', value: { active: false } })
  }
}
