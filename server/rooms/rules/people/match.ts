import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import type { Directory } from '#rooms/records/directories/index.ts'
import {
  evaluateKeys,
  type KeyExpression,
  type KeyRow,
  listSubjectRows,
  prepareKey,
} from '#rooms/rules/expressions/index.ts'
import type { DirectoryAccount, Match } from './decide.ts'
import { listMerged, listUsersCalled } from './store.ts'

/** The keys of a directory that sets none: the email address. */
const usualCases = [['account.email', 'subject.email']] as const

export type Keys = {
  filter: KeyExpression | null
  cases: { ofAccount: KeyExpression; ofUser: KeyExpression; isPlain: boolean }[]
}

export type Terms = Pick<Directory, 'accountFilter' | 'matchCases'>

// The fields by which users are searched: candidates are found by an index.
const plainKey =
  /^\s*(?:subject|user)\.(?:email|username|(?:employeeIds|employee_ids)\[0\])(?:\.lowerAscii\(\)|\.trim\(\))*\s*$/

/** Refuses texts that are not valid expressions, with the names that fields have in requests. */
export async function prepareKeys(
  world: Pick<World, 'memory'>,
  asker: { lane: string; signal: AbortSignal | null },
  { accountFilter, matchCases }: Terms,
): Promise<Keys> {
  const filter =
    accountFilter === ''
      ? null
      : await prepareKey(world, asker, accountFilter, 'accountFilter', 'celExpression.expression')
  const cases: Keys['cases'] = []
  for (const [at, [ofAccount, ofUser]] of (matchCases.length > 0 ? matchCases : usualCases).entries()) {
    const field = `mergeConfig.matchCases[${at}]`
    cases.push({
      ofAccount: await prepareKey(world, asker, ofAccount, 'accountKey', `${field}.appUserKeyCel`),
      ofUser: await prepareKey(world, asker, ofUser, 'userKey', `${field}.userKeyCel`),
      isPlain: plainKey.test(ofUser),
    })
  }
  return { filter, cases }
}

export type Matching = {
  tx: Tx
  world: Pick<World, 'memory' | 'now'>
  tenantId: number
  keys: Keys
  allowance: { units: number }
  signal: AbortSignal | null
  /** For expressions that have to be evaluated for everyone: users by key, once for the whole run. */
  known: Map<KeyExpression, Map<string, string[]>>
}

const askerOf = ({ tenantId, signal }: Matching) => ({ lane: String(tenantId), signal })

const rowOf = (account: DirectoryAccount, appId: string): KeyRow => ({
  id: account.id,
  appId,
  displayName: account.displayName,
  email: account.email || (account.emails[0] ?? ''),
  emails: account.emails,
  username: account.username || (account.usernames[0] ?? ''),
  usernames: account.usernames,
  employeeIds: account.employeeIds,
  appUserType: account.type,
  status: account.status,
  identityUserId: account.userId ?? '',
  profile: account.profile as never,
})

/** The results of the filter and the keys for accounts: whether each is a person, and their keys in order. */
export async function keysOf(
  matching: Matching,
  appId: string,
  accounts: readonly DirectoryAccount[],
): Promise<{ isIn: boolean; hasFailed: boolean; keys: string[] }[]> {
  const { world, keys, allowance } = matching
  const expressions = [...(keys.filter ? [keys.filter] : []), ...keys.cases.map(({ ofAccount }) => ofAccount)]
  const rows = accounts.map((account) => rowOf(account, appId))
  const told = await evaluateKeys(world, askerOf(matching), expressions, rows, allowance)
  const filtered = keys.filter ? (told.shift() ?? []) : []
  return accounts.map((_, at) => {
    const isIn = keys.filter ? filtered[at] === true : true
    return {
      isIn,
      hasFailed: keys.filter !== null && typeof filtered[at] === 'object',
      // A key that fails counts as missing: for a profile without the entry that it reads, for example.
      keys: told.map((values) => (typeof values[at] === 'string' ? values[at] : '')),
    }
  })
}

/**
 * The users whom accounts belong to by their keys, in order: by the first key that is not empty and that a user has. A key
 * that several users have, or an account without any key, is a conflict.
 */
export async function matchByKeys(matching: Matching, keysOfAll: readonly (readonly string[])[]): Promise<Match[]> {
  const matches: (Match | null)[] = keysOfAll.map(() => null)
  for (const [place, { ofUser, isPlain }] of matching.keys.cases.entries()) {
    const open = keysOfAll.flatMap((keys, at) =>
      matches[at] === null && keys[place] ? [{ at, key: keys[place] }] : [],
    )
    if (open.length === 0) continue
    const users = await usersByKey(matching, ofUser, isPlain ? [...new Set(open.map(({ key }) => key))] : null)
    for (const { at, key } of open) {
      const [userId, ...others] = users.get(key) ?? []
      if (userId === undefined) continue
      matches[at] =
        others.length === 0
          ? { is: 'user', userId, by: `key ${place + 1}` }
          : { is: 'conflict', reason: 'SEVERAL_USERS', key, userIds: [userId, ...others].slice(0, namedMax) }
    }
  }
  return matches.map((match, at) => {
    if (match) return match
    const hasKey = (keysOfAll[at] ?? []).some((key) => key !== '')
    return hasKey ? { is: 'nobody' } : { is: 'conflict', reason: 'NO_KEY', key: '', userIds: [] }
  })
}

const namedMax = 10
const usersPerPage = 2_000

/** Users by one of their keys: those who may have one of the given keys, or everyone. People only. */
async function usersByKey(
  matching: Matching,
  ofUser: KeyExpression,
  keys: readonly string[] | null,
): Promise<Map<string, string[]>> {
  if (keys) return addUsers(matching, ofUser, new Map(), await listUsersCalled(matching.tx, matching.tenantId, keys))
  const known = matching.known.get(ofUser)
  if (known) return known
  const all = new Map<string, string[]>()
  for (let after = ''; ; ) {
    const last = await addUsersAfter(matching, ofUser, all, after)
    if (last === null) break
    after = last
  }
  matching.known.set(ofUser, all)
  return all
}

const reading = ({ fields }: KeyExpression) => ({
  reads: {
    fields: new Set([...fields, 'type' as const]),
    entitlements: [],
    apps: [],
    isClocked: false,
    looksAtManager: false,
  },
})

async function addUsers(
  matching: Matching,
  ofUser: KeyExpression,
  into: Map<string, string[]>,
  userIds: readonly string[],
): Promise<Map<string, string[]>> {
  for (let from = 0; from < userIds.length; from += usersPerPage) {
    const which = { userIds: userIds.slice(from, from + usersPerPage) }
    await add(matching, ofUser, into, await rowsOf(matching, ofUser, which))
  }
  return into
}

async function addUsersAfter(
  matching: Matching,
  ofUser: KeyExpression,
  into: Map<string, string[]>,
  after: string,
): Promise<string | null> {
  const rows = await rowsOf(matching, ofUser, { after, limit: usersPerPage })
  await add(matching, ofUser, into, rows)
  return rows.length < usersPerPage ? null : (rows.at(-1)?.id ?? null)
}

type Rows = Awaited<ReturnType<typeof listSubjectRows>>

const rowsOf = (
  { tx, tenantId, world }: Matching,
  ofUser: KeyExpression,
  which: Parameters<typeof listSubjectRows>[4],
): Promise<Rows> => listSubjectRows(tx, tenantId, world.now(), [reading(ofUser)], which)

async function add(matching: Matching, ofUser: KeyExpression, into: Map<string, string[]>, all: Rows): Promise<void> {
  const rows = all.filter(({ type }) => type === 'USER_TYPE_HUMAN')
  const [values = []] = await evaluateKeys(matching.world, askerOf(matching), [ofUser], rows, matching.allowance)
  const merged = await listMerged(
    matching.tx,
    matching.tenantId,
    rows.map(({ id }) => id),
  )
  for (const [at, row] of rows.entries()) {
    const id = merged.get(row.id) ?? row.id
    const key = values[at]
    if (typeof key !== 'string' || key === '') continue
    const known = into.get(key)
    if (!known) into.set(key, [id])
    else if (known.length < namedMax && !known.includes(id)) known.push(id)
  }
}

/** A new user has keys too: two accounts with the same key do not become two people. */
export function noteNewUser(matching: Matching, keys: readonly string[], userId: string): void {
  for (const [place, { ofUser }] of matching.keys.cases.entries()) {
    const known = matching.known.get(ofUser)
    const key = keys[place] ?? ''
    if (!known || key === '') continue
    const others = known.get(key)
    if (others) others.push(userId)
    else known.set(key, [userId])
  }
}
