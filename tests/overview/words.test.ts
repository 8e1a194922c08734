import { describe, expect, test } from 'vitest'
import { ask, getToken, type Json } from '../fixture/access.ts'
import { idsOf, prepare } from '../grants/scene.ts'

const scene = prepare()

const users = (query: string): Promise<Json[]> => scene.all('/api/v1/search/users', { query })
const entitlements = async (query: string, more: object = {}): Promise<string[]> =>
  idsOf(await scene.all('/api/v1/search/entitlements', { query, ...more }), 'appEntitlement', 'id')

describe('a search by words', () => {
  test('finds people by the words of their name in any order, and what begins with the text first', async () => {
    const ann = await scene.user({ displayName: 'Annika van der Berg' })
    const bert = await scene.user({ displayName: 'Berg Annika' })
    await scene.user({ displayName: 'Annika Bell' })
    expect(idsOf(await users('berg ann'), 'user', 'id')).toEqual([bert, ann])
    expect(idsOf(await users('ann berg'), 'user', 'id').toSorted()).toEqual([ann, bert].toSorted())
    expect(idsOf(await users('  BERG   der ann '), 'user', 'id')).toEqual([ann])
    expect(await users('berg annx')).toEqual([])
    // A beginning of a word counts, and its middle does not.
    expect(await users('erg ann')).toEqual([])
  })

  test('finds by an address and a word of the name together', async () => {
    const id = await scene.user({ displayName: 'Quill Marsh', email: 'qm@words.example.com' })
    expect(idsOf(await users('marsh qm@words'), 'user', 'id')).toEqual([id])
  })

  test('keeps finding what begins with the whole text, where words alone would not', async () => {
    const id = await scene.user({ displayName: 'Someone Else', username: 'zq 77 blue' })
    expect(idsOf(await users('zq 77'), 'user', 'id')).toEqual([id])
  })

  test('finds entitlements by words of their own, of their app and of their resource', async () => {
    const wiki = await scene.app('Sales Wiki')
    const editor = await scene.entitlement(wiki, 'Editor')
    const reader = await scene.entitlement(wiki, 'Reader')
    const cloud = await scene.app('Cloud')
    const project = await scene.resource(cloud, 'Ledger Production')
    const owner = await scene.entitlement(cloud, 'Production Owner')
    const admin = await scene.entitlement(cloud, 'Administrator', { resource: project })
    expect((await entitlements('sales wiki')).toSorted()).toEqual([editor.id, reader.id].toSorted())
    expect(await entitlements('wiki edit')).toEqual([editor.id])
    expect(await entitlements('editor sales')).toEqual([editor.id])
    // By its own name first, then by that of its resource.
    expect(await entitlements('prod')).toEqual([owner.id, admin.id])
    expect(await entitlements('owner prod')).toEqual([owner.id])
    expect(await entitlements('ledger admin')).toEqual([admin.id])
    expect(await entitlements('sales owner')).toEqual([])
    // Within an app, its name tells nothing apart.
    expect(await entitlements('sales', { appIds: [wiki] })).toEqual([])
    expect(await entitlements('edi', { appIds: [wiki] })).toEqual([editor.id])
  })

  test('finds apps, resources and accounts by words in any order', async () => {
    const app = await scene.app('Northern Freight Portal')
    const resource = await scene.resource(app, 'Depot Harbour East')
    const account = await scene.account(app, { displayName: 'Kestrel Ops Robot' })
    expect(idsOf(await scene.all('/api/v1/search/apps', { query: 'portal north' }), 'id')).toEqual([app])
    const resources = await scene.all('/api/v1/search/app_resources', { query: 'east depot' })
    expect(idsOf(resources, 'appResource', 'id')).toEqual([resource.id])
    const accounts = await scene.all('/api/v1/search/app_users', { query: 'robot kes' })
    expect(idsOf(accounts, 'appUser', 'id')).toEqual([account.id])
  })

  test('pages through both parts without losing or repeating anyone', async () => {
    const wanted: string[] = []
    for (let i = 0; i < 24; i++)
      wanted.push(await scene.user({ displayName: i % 2 ? `Paging Lark ${i}` : `Lark ${i} Paging` }))
    const found = idsOf(await users('paging lark'), 'user', 'id')
    expect(found).toHaveLength(24)
    expect(found.toSorted()).toEqual(wanted.toSorted())
    const app = await scene.app('Zither Works')
    const names = Array.from({ length: 23 }, (_, i) => (i % 3 ? `Player ${i}` : `Zither ${i}`))
    const made = await Promise.all(names.map((name) => scene.entitlement(app, name)))
    expect((await entitlements('zither')).toSorted()).toEqual(made.map(({ id }) => id).toSorted())
  })

  test('shows nobody what they may not see: a basic user finds what they hold, by the name of its app too', async () => {
    const app = await scene.app('Heron Vault')
    const [held, other] = [await scene.entitlement(app, 'Opener'), await scene.entitlement(app, 'Closer')]
    const account = await scene.account(app, { userId: scene.basic.userId })
    await scene.grant(held, account)
    const list = await scene.all('/api/v1/search/entitlements', { query: 'heron vault' }, scene.basic)
    expect(idsOf(list, 'appEntitlement', 'id')).toEqual([held.id])
    expect(JSON.stringify(list)).not.toContain(other.id)
  })
})

describe('the search of everything', () => {
  const find = async (query: string, by = scene.admin): Promise<Json[]> => {
    const reply = await scene.get(`/api/v1/find?query=${encodeURIComponent(query)}`, by)
    expect(reply.status, reply.text).toBe(200)
    return reply.json['list'] as Json[]
  }
  const named = (hits: readonly Json[]): string[] =>
    hits.map(({ kind, displayName }) => `${String(kind)} ${String(displayName)}`)

  test('finds each kind by one request, with what tells it from others and its page', async () => {
    const app = await scene.app('Osprey Desk')
    const entitlement = await scene.entitlement(app, 'Osprey Keeper')
    const person = await scene.user({ displayName: 'Olga Osprey', email: 'olga@osprey.example.com' })
    const account = await scene.account(app, { displayName: 'osprey-bot' })
    const resource = await scene.resource(app, 'Osprey Nest')
    const hits = await find('osprey')
    expect(named(hits)).toEqual([
      'user Olga Osprey',
      'app Osprey Desk',
      'entitlement Osprey Keeper',
      'account osprey-bot',
      'resource Osprey Nest',
    ])
    const of = (kind: string) => hits.find((hit) => hit['kind'] === kind)
    expect(of('user')).toMatchObject({ id: person, description: 'olga@osprey.example.com' })
    expect(of('entitlement')).toMatchObject({ id: entitlement.id, appId: app, description: 'Osprey Desk' })
    expect(of('account')).toMatchObject({ id: account.id, appId: app, description: 'Osprey Desk' })
    const { id, typeId: appResourceTypeId } = resource
    expect(of('resource')).toMatchObject({ id, appId: app, appResourceTypeId, description: 'Osprey Desk' })
  })

  test('gives no more than six of a kind, and twelve entitlements', async () => {
    const app = await scene.app()
    for (let i = 0; i < 8; i++) await scene.user({ displayName: `Sextet ${i}` })
    for (let i = 0; i < 14; i++) await scene.entitlement(app, `Dozen ${i}`)
    expect(await find('sextet')).toHaveLength(6)
    expect(await find('dozen')).toHaveLength(12)
  })

  test('gives a basic user no more than the searches themselves do, and people of another tenant nothing', async () => {
    const app = await scene.app('Merlin Ledger')
    const [held, other] = [await scene.entitlement(app, 'Merlin Reader'), await scene.entitlement(app, 'Merlin Writer')]
    await scene.grant(held, await scene.account(app, { userId: scene.basic.userId, displayName: 'Merlin account' }))
    const someone = await scene.user({ displayName: 'Merlin Otherone', email: 'merlin@other.example.com' })
    const hits = await find('merlin', scene.basic)
    expect(named(hits)).toEqual(['app Merlin Ledger', 'entitlement Merlin Reader', 'account Merlin account'])
    expect(JSON.stringify(hits)).not.toContain(someone)
    expect(JSON.stringify(hits)).not.toContain(other.id)
    expect(named(await find('merlin', scene.viewer))).toContain('user Merlin Otherone')
    const elsewhere = await scene.access.makeTenant('find.other.example')
    const key = await scene.access.makeCaller(['system:owner'], {}, elsewhere)
    const token = await getToken(scene.server, key)
    const reply = await ask(scene.server, '/api/v1/find?query=merlin', { token, host: 'find.other.example' })
    expect([reply.status, reply.json['list']]).toEqual([200, []])
  })

  test('refuses an empty query, and takes any other', async () => {
    expect((await scene.get('/api/v1/find?query=%20')).status).toBe(400)
    for (const query of [
      '%',
      '_',
      "'",
      '\\',
      '\u{10ffff}',
      '\u{10ffff} a',
      'a'.repeat(200),
      '(',
      'x y z 1 2 3 4 5 6 7 8 9',
    ])
      expect((await scene.get(`/api/v1/find?query=${encodeURIComponent(query)}`)).status, query).toBe(200)
    expect((await scene.get(`/api/v1/find?query=${'a'.repeat(201)}`)).status).toBe(400)
  })
})
