import type { Reads } from '#kernel/sql.ts'
import { listEffectiveOwners } from '#rooms/governance/owners/index.ts'
import {
  type Answer,
  type LookedUp,
  listSubjectRows,
  type Need,
  needKey,
  type SubjectRow,
  subjectFields,
} from '#rooms/rules/expressions/index.ts'
import {
  hasEntitlementRow,
  listAccountsIn,
  listGrantedFromEnrollment,
  listHoldersAmong,
  listLivingUsers,
  listManagersOf,
  listMembers,
  listReportsOf,
  listUsersByEmail,
  listUsersByName,
} from './lookups-store.ts'

/** The maximum number of users in a result; also the limit for what a macro iterates over. */
const peopleMax = 1000

type Looking = { db: Reads; tenantId: number; at: Date }
type Answers = Map<string, Answer>

/** All fields of these users; the profile only if it is read. */
export function listPeopleFacts(
  { db, tenantId, at }: Looking,
  ids: readonly string[],
  readsProfiles: boolean,
): Promise<SubjectRow[]> {
  const reads = {
    fields: new Set(subjectFields.filter((field) => readsProfiles || field !== 'profile')),
    entitlements: [],
    apps: [],
    isClocked: false,
    looksAtManager: true,
  }
  return listSubjectRows(db, tenantId, at, [{ reads }], { userIds: ids })
}

/** Looks up what an expression needs: needs of one kind in one statement, or one per app or entitlement. */
export async function lookUp(looking: Looking, needs: readonly Need[], readsProfiles: boolean): Promise<LookedUp> {
  const answers: Answers = new Map()
  const groups = new Map<string, Need[]>()
  for (const need of needs) {
    const key = need.userId === '' && !isByTwoIds(need) ? need.of : JSON.stringify([need.of, ...need.texts])
    groups.set(key, [...(groups.get(key) ?? []), need])
  }
  if (groups.size > groupsMax)
    for (const need of needs)
      answers.set(needKey(need), { error: `more than ${groupsMax} things are looked up at once` })
  else for (const group of groups.values()) await answer(looking, group, answers)
  const named = new Set<string>()
  for (const each of answers.values()) {
    if ('userId' in each) named.add(each.userId)
    if ('userIds' in each) for (const id of each.userIds) named.add(id)
  }
  return { answers: [...answers], users: await listPeopleFacts(looking, [...named], readsProfiles) }
}

/** The maximum number of statements in one round. */
const groupsMax = 50

const isByTwoIds = ({ of }: Need): boolean => of === 'GetEntitlementMembers' || of === 'GetEntitlementOwners'

async function answer(looking: Looking, group: readonly Need[], answers: Answers): Promise<void> {
  const { db, tenantId, at } = looking
  const [{ of, texts }] = group as [Need, ...Need[]]
  const userIds = [...new Set(group.map(({ userId }) => userId))]
  const [appId = '', id = ''] = texts
  const firsts = [...new Set(group.map((need) => need.texts[0] ?? ''))]
  switch (of) {
    case 'HasApp':
    case 'GetAppUserStatus': {
      const accounts = await listAccountsIn(db, tenantId, appId, userIds)
      for (const need of group) {
        const statuses = accounts.filter(({ userId }) => userId === need.userId).map(({ status }) => status)
        answers.set(needKey(need), { value: of === 'HasApp' ? statuses.length > 0 : statusOf(statuses) })
      }
      return
    }
    case 'HasEntitlement': {
      const holders = new Set(await listHoldersAmong(db, tenantId, { appId, id }, userIds, at))
      for (const need of group) answers.set(needKey(need), { value: holders.has(need.userId) })
      return
    }
    case 'GrantedFromEnrollment':
    case 'AutomaticallyGrantedFromEnrollment': {
      const isAutomatic = of === 'AutomaticallyGrantedFromEnrollment'
      const granted = new Set(
        await listGrantedFromEnrollment(db, tenantId, { appId, id }, userIds, { at, isAutomatic }),
      )
      for (const need of group) answers.set(needKey(need), { value: granted.has(need.userId) })
      return
    }
    case 'FindByEmail': {
      const found = await listUsersByEmail(db, tenantId, firsts)
      return one(group, found, answers, (text) => `no user has the address ${JSON.stringify(text)}`)
    }
    case 'FindByName': {
      const found = await listUsersByName(db, tenantId, firsts)
      return one(group, found, answers, (text) => `no user has the name ${JSON.stringify(text)}`)
    }
    case 'GetByID': {
      const found = await listLivingUsers(db, tenantId, firsts)
      return one(group, found, answers, (text) => `no user has the id ${JSON.stringify(text)}`)
    }
    case 'GetManagers':
      return several(group, await listManagersOf(db, tenantId, userIds), answers)
    case 'DirectReports': {
      const found = await listReportsOf(db, tenantId, userIds, peopleMax)
      if (found.length > peopleMax) return tooMany(group, answers)
      return several(group, found, answers)
    }
    case 'GetEntitlementMembers':
    case 'GetEntitlementOwners': {
      if (!(await hasEntitlementRow(db, tenantId, { appId, id })))
        return all(group, answers, { error: `there is no entitlement ${JSON.stringify(id)} in this app` })
      const ids =
        of === 'GetEntitlementMembers'
          ? await listMembers(db, tenantId, { appId, id }, at, peopleMax)
          : await listEffectiveOwners(
              db,
              tenantId,
              { object: { kind: 'entitlement', appId, typeId: '', id }, roleSlug: 'primary' },
              { at, isNow: true },
              { after: '', limit: peopleMax + 1 },
            )
      return ids.length > peopleMax ? tooMany(group, answers) : all(group, answers, { userIds: ids })
    }
  }
}

const all = (group: readonly Need[], answers: Answers, told: Answer): void => {
  for (const need of group) answers.set(needKey(need), told)
}

const tooMany = (group: readonly Need[], answers: Answers): void =>
  all(group, answers, { error: `${group[0]?.of} finds more than ${peopleMax} users` })

type Found = readonly { key: string; userId: string }[]

/** Exactly one user: a name that two users have is ambiguous. */
function one(group: readonly Need[], found: Found, answers: Answers, none: (text: string) => string): void {
  for (const need of group) {
    const text = need.texts[0] ?? ''
    const ids = found.filter(({ key }) => key === text).map(({ userId }) => userId)
    const [first] = ids
    if (first === undefined) answers.set(needKey(need), { error: none(text.slice(0, 100)) })
    else if (ids.length > 1)
      answers.set(needKey(need), { error: `more than one user has the name ${JSON.stringify(text.slice(0, 100))}` })
    else answers.set(needKey(need), { userId: first })
  }
}

function several(group: readonly Need[], found: Found, answers: Answers): void {
  const of = new Map<string, string[]>()
  for (const { key, userId } of found) of.set(key, [...(of.get(key) ?? []), userId])
  for (const need of group) answers.set(needKey(need), { userIds: [...new Set(of.get(need.userId))] })
}

/** Of several accounts in an app, the one with the most access. */
function statusOf(statuses: readonly string[]): string {
  for (const status of ['STATUS_ENABLED', 'STATUS_DISABLED', 'STATUS_DELETED'])
    if (statuses.includes(status)) return status
  return 'STATUS_UNSPECIFIED'
}
