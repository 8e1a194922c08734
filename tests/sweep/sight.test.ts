import { beforeAll, describe, expect, test } from 'vitest'
import { anyone, type Route, signedIn } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { insertOwners } from '#rooms/foundation/ownership/index.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { routes } from '#server/registry/routes.ts'
import { ask, getToken, type Json, type Reply, type RoleName, reasonOf } from '../fixture/access.ts'
import { fewOrMany, isLong } from '../fixture/long.ts'
import { type Caller, prepare, type Ref } from '../grants/scene.ts'

/**
 * What a caller may know of people and apps is the same by every way. Every operation is called by those who may not see
 * everyone, about everything there is; whatever it answers, it tells nothing of who and what is outside their sight. Each
 * field of each person and thing outside holds a word that stands nowhere else.
 */
const scene = prepare()
type Person = { id: string; name: string; secrets: string[] }
type Things = { app: string; entitlement: Ref; resource: { typeId: string; id: string }; account: Ref; words: string[] }

let strangers: Person[]
let elsewhere: Things
let mine: Things
let member: Person
let callers: { who: string; by: Caller }[]

async function person(word: string): Promise<Person> {
  const secrets = ['mail', 'login', 'staff', 'site'].map((field) => `${word}${field}`)
  const [mail, login, staff, site] = secrets as [string, string, string, string]
  const name = `${word}name`
  const id = await scene.user({
    displayName: name,
    email: `${mail}@example.com`,
    username: login,
    employeeId: staff,
    department: `${word}team`,
    jobTitle: `${word}post`,
    profile: { site },
  })
  return { id, name, secrets }
}

async function things(word: string, holder: string, giver: string): Promise<Things> {
  const words = ['app', 'right', 'thing', 'account'].map((kind) => `${word}${kind}`)
  const [appName, entitlementName, resourceName, accountName] = words as [string, string, string, string]
  const app = await scene.app(appName)
  const resource = await scene.resource(app, resourceName)
  const entitlement = await scene.entitlement(app, entitlementName, { resource })
  const account = await scene.account(app, { userId: holder, displayName: accountName })
  await scene.grant(entitlement, account, { source: 'manual', grantedBy: giver })
  return { app, entitlement, resource, account, words }
}

async function own(kind: 'app' | 'entitlement', of: Things, userId: string): Promise<void> {
  const { world, tenant } = scene.access
  const id = kind === 'app' ? of.app : of.entitlement.id
  const object = { kind, appId: of.app, typeId: '', id }
  const owner = { object, roleSlug: 'primary', id: world.newId(), userId }
  await transact(world.db, (tx) => insertOwners(tx, operatorCause(tenant, 'test'), [owner], world.now()))
}

const caller = async (roles: RoleName[]): Promise<Caller> => {
  const key = await scene.access.makeCaller(roles)
  return { userId: key.userId, token: await getToken(scene.server, key) }
}

beforeAll(async () => {
  strangers = await Promise.all(['qxzalpha', 'qxzbeta', 'qxzgamma'].map(person))
  member = await person('wvyin')
  const [first, second, third] = strangers as [Person, Person, Person]
  elsewhere = await things('qxzother', first.id, second.id)
  await own('app', elsewhere, second.id)
  await own('entitlement', elsewhere, third.id)
  mine = await things('wvymine', member.id, first.id)
  const both = await caller(['system:application-admin', 'system:user'])
  const admin = await caller(['system:application-admin'])
  const ofOne = await caller(['system:application-admin', 'system:user'])
  const holding = await caller(['system:user'])
  const account = await scene.account(mine.app, { userId: holding.userId })
  await scene.grant(mine.entitlement, account, { source: 'manual', grantedBy: first.id })
  await own('app', mine, both.userId)
  await own('app', mine, admin.userId)
  await own('entitlement', mine, ofOne.userId)
  callers = [
    { who: 'the owner of an app', by: both },
    { who: 'a holder', by: holding },
    // Of the five, those who may the most and the least in `npm test`: each asks some 1,500 times.
    ...(isLong
      ? [
          { who: 'the owner of an app who is no basic user', by: admin },
          { who: 'the owner of an entitlement', by: ofOne },
          { who: 'a basic user with nothing', by: await caller(['system:user']) },
        ]
      : []),
  ]
  // Strangers have done something to what is mine: their ids are in its record.
  const { entitlement } = mine
  await scene.post(`/api/v1/apps/${mine.app}/entitlements/${entitlement.id}/automation/create`, {
    automation: { cel: { expression: 'int(subject.profile.site) > 1' } },
  })
  await scene.server.db`update automation_runs set started_by = ${second.id}`
})

/** How a path's parameter is filled from some things and a user. */
function idOf(name: string, of: Things, userId: string): string {
  if (/entitlement/.test(name)) return name.endsWith('app_id') ? of.app : of.entitlement.id
  if (/resource_type/.test(name)) return of.resource.typeId
  if (/resource/.test(name)) return of.resource.id
  if (/app_user_app_id/.test(name)) return of.app
  if (/app_user/.test(name)) return of.account.id
  if (/app_id/.test(name)) return of.app
  if (/role_slug/.test(name)) return 'primary'
  return userId
}

function pathIn(each: Route, of: Things, userId: string): string {
  const isOf = (kind: RegExp): boolean => kind.test(each.path)
  return each.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name !== 'id') return idOf(name, of, userId)
    if (isOf(/resources\/\{id\}/)) return of.resource.id
    if (isOf(/resource_types\/\{id\}/)) return of.resource.typeId
    if (isOf(/entitlements\/\{id\}/)) return of.entitlement.id
    return isOf(/apps\/\{id\}/) ? of.app : userId
  })
}

/** Filters by which someone might ask about what they may not see. */
const bodies = (of: Things, userId: string): Json[] => [
  { expandMask: { paths: ['*'] } },
  {
    userId,
    userIds: [userId],
    ids: [userId],
    userRefs: [{ id: userId }],
    managerIds: [userId],
    expandMask: { paths: ['*'] },
  },
  { appId: of.app, appIds: [of.app], entitlementRefs: [of.entitlement], appUserIds: [of.account.id] },
  { refs: [of.entitlement], appUserRefs: [of.account], resourceId: of.resource.id, userId },
  { query: 'qxz' },
  { query: of.words[0], email: 'qxzalphamai' },
  { automation: { cel: { expression: 'true' } } },
]

const isRead = ({ method, path }: Route): boolean =>
  method === 'GET' || /\/(search|introspect|plan|feed|counts)\b|\/owned_service_accounts$|graph|past-grants/.test(path)

const send = (each: Route, path: string, by: Caller, body: Json | null): Promise<Reply> =>
  ask(scene.server, path, {
    method: each.method,
    token: by.token,
    ...(each.method !== 'GET' && { body: body ?? {} }),
  })

const callable = routes.filter(
  ({ allow, form, stream, redirect }) => allow !== anyone && allow !== signedIn && !form && !stream && !redirect,
)

/** The words that must not be in a reply: but for ids that the caller said themselves, which refusals repeat. */
const leaked = (reply: Reply, sent: string, words: readonly string[]): string[] =>
  words.filter((word) => reply.text.includes(word) && !sent.includes(word))

/** `npm test` asks each operation in some of the ways, in one after the other of them from operation to operation. */
const someOf = <T>(ways: readonly T[], place: number, few: number): readonly T[] =>
  isLong ? ways : ways.filter((_, n) => (n + place) % Math.ceil(ways.length / few) === 0)

const secretsOf = (people: readonly Person[]): string[] => people.flatMap(({ secrets }) => secrets)

describe('whatever is asked by whom, no reply tells of what is outside their sight', () => {
  test('when they read', async () => {
    const outside = [
      ...secretsOf(strangers),
      ...strangers.flatMap(({ id, name }) => [id, name, name.replace('name', 'team'), name.replace('name', 'post')]),
      ...elsewhere.words,
      // Of those in sight, what is beyond it.
      ...secretsOf([member]),
    ]
    const wrong = new Set<string>()
    let answered = 0
    for (const [place, each] of callable.filter(isRead).entries()) {
      const ways = callers.flatMap(({ who, by }) =>
        [
          { of: elsewhere, user: strangers[0] },
          { of: mine, user: strangers[1] },
          { of: mine, user: member },
        ].flatMap(({ of, user }) => {
          const path = pathIn(each, of, user?.id ?? '')
          const asked = each.method === 'GET' ? [null] : bodies(of, user?.id ?? '')
          return asked.map((body) => ({ who, by, path, body }))
        }),
      )
      const few = each.method === 'GET' ? 3 : 7
      await Promise.all(
        someOf(ways, place, few).map(async ({ who, by, path, body }) => {
          const reply = await send(each, path, by, body)
          if (reply.status === 200) answered += 1
          for (const word of leaked(reply, `${path} ${JSON.stringify(body)}`, outside))
            wrong.add(`${each.id} tells ${who} ${word}: ${path} ${JSON.stringify(body)}`)
          if (reply.status >= 500) wrong.add(`${each.id} fails for ${who}: ${reply.text}`)
        }),
      )
    }
    expect([...wrong]).toEqual([])
    expect(answered).toBeGreaterThan(fewOrMany(60, 300))
  })

  test('nor does a refusal tell whether there is such a thing', async () => {
    const nothing = '2zzzzzzzzzzzzzzzzzzzzzzzzzz'
    const none: Things = {
      ...elsewhere,
      app: nothing,
      entitlement: { appId: nothing, id: nothing },
      resource: { typeId: nothing, id: nothing },
      account: { appId: nothing, id: nothing },
    }
    const wrong: string[] = []
    for (const [place, each] of callable.filter(({ path }) => path.includes('{')).entries())
      await Promise.all(
        someOf(callers, place, 1).map(async ({ who, by }) => {
          const [there, not] = await Promise.all([
            send(each, pathIn(each, elsewhere, strangers[2]?.id ?? ''), by, null),
            send(each, pathIn(each, none, nothing), by, null),
          ])
          const answers = [there, not].map((reply) => `${reply.status} ${String(reasonOf(reply))}`)
          if (answers[0] !== answers[1]) wrong.push(`${each.id} for ${who}: ${answers.join(' or ')}`)
        }),
      )
    expect(wrong).toEqual([])
  })

  test('and when they name everyone wherever they can, they learn names and no more', async () => {
    const owner = callers[0]?.by as Caller
    const ids = strangers.map(({ id }) => id)
    const at = `/api/v1/apps/${mine.app}/entitlements/${mine.entitlement.id}`
    const v2 = at.replace('v1', 'v2')
    const tried = [
      await scene.post(`${at}/add-manual-user`, { userIds: ids }, owner),
      await scene.post(`${at}/automation/exclusions`, { userIds: ids }, owner),
      await ask(scene.server, `${at}/owners`, { method: 'PUT', token: owner.token, body: { userIds: ids } }),
      await ask(scene.server, `${v2}/owners/users/primary/${ids[0] ?? ''}`, {
        method: 'POST',
        token: owner.token,
        body: {},
      }),
    ]
    expect(tried.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const wrong = new Set<string>()
    const note = (what: string, reply: Reply): void => {
      for (const word of leaked(reply, '', [...secretsOf(strangers), ...elsewhere.words])) wrong.add(`${what}: ${word}`)
    }
    for (const reply of tried) note('naming', reply)
    for (const [place, each] of callable.filter(isRead).entries()) {
      const ways = callers.flatMap((asker) =>
        (each.method === 'GET' ? [null] : bodies(mine, ids[0] ?? '')).map((body) => ({ ...asker, body })),
      )
      await Promise.all(
        someOf(ways, place, each.method === 'GET' ? 1 : 3).map(async ({ who, by, body }) =>
          note(`${each.id} tells ${who}`, await send(each, pathIn(each, mine, ids[0] ?? ''), by, body)),
        ),
      )
    }
    expect([...wrong]).toEqual([])
    const { list } = (await scene.get(`${at}/owners`, owner)).json as { list: Json[] }
    expect(list.map(({ displayName }) => displayName as string).toSorted()).toEqual(
      strangers.map(({ name }) => name).toSorted(),
    )
  })
})
