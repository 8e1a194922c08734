import { beforeAll, describe, expect, test } from 'vitest'
import { ask, getToken, outcomeOf } from '../fixture/access.ts'
import { longTest } from '../fixture/long.ts'
import { withoutHolding } from '../fixture/stretch.ts'
import { prepare } from '../grants/scene.ts'

const scene = prepare()
type Listed = { list: { appEntitlement: { annotations: Record<string, string> } }[] }
const mebibyte = 1024 * 1024 - 100

const many = (count: number, of: (at: number) => string, between = ','): string =>
  Array.from({ length: count }, (_, at) => of(at)).join(between)

/** What a request is answered with. Limits are counts, which answers name. */
async function send(path: string, body: string, headers: Record<string, string> = {}, token = scene.admin.token) {
  const reply = await withoutHolding(() => ask(scene.server, path, { token, method: 'POST', body, headers }))
  return { outcome: outcomeOf(reply), text: reply.text }
}

// Code that runs for the first time is slower than it ever is again.
beforeAll(async () => {
  await send('/api/v1/search/users', `{"query":"${'x'.repeat(60_000)}","a":[${many(50_000, String)}]}`)
  await send(
    '/api/v1/imports?kind=user',
    many(2_000, () => '{'),
    { 'content-type': 'application/jsonl' },
  )
  await send('/api/v1/imports?kind=user', `a,b\n${many(2_000, () => 'x,', '\n')}`, { 'content-type': 'text/csv' })
})

describe('a body that is made to be slow is answered without keeping others waiting', () => {
  test.each([
    ['levels', `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`, 'nested more than 100 levels'],
    ['levels of objects', `${'{"a":'.repeat(170_000)}1${'}'.repeat(170_000)}`, 'nested more than 100 levels'],
    ['levels in a text that is no end', `{"a":"${'\\"['.repeat(300_000)}`, 'is not JSON'],
    ['names', `{${many(90_000, (at) => `"${at.toString(36)}":1`)}}`, 'an object of more than 1000 fields'],
    ['names in many objects', `{"a":[${many(60_000, () => '{"a":1}')}]}`, 'more than 25000 fields'],
    [
      'names that are numbers',
      `{${many(90_000, (at) => `"${(at * 7919) % 4_294_967_290}":1`).slice(0, mebibyte - 1)}`,
      'an object of more than 1000 fields',
    ],
  ])('JSON of many %s', async (_, body, why) => {
    const { outcome, text } = await send('/api/v1/search/users', body.slice(0, mebibyte))
    expect(outcome).toBe('400/3 BODY_MALFORMED')
    expect(text).toContain(why)
  })

  test.each([
    ['/api/v1/search/users', `{"ids":[${many(400_000, () => '1')}]}`],
    ['/api/v1/search/users', `{"refs":[${many(1_000, () => '{"id":1}')}],"userIds":[${many(1_000, () => '1')}]}`],
    ['/api/v1/iam/personal_clients', `{"displayName":"x","allowSourceCidr":[${many(10_000, () => '1')}]}`],
    [
      '/api/v1/iam/personal_clients',
      `{"displayName":"x","allowSourceCidr":[${many(10_000, (at) => `"10.0.${at >> 8}.${at & 255}"`)}]}`,
    ],
  ])('lists that are wrong: %s', async (path, body) => {
    expect((await send(path, body)).outcome).toBe('400/3 INPUT_INVALID')
  })

  test.each([
    ['a name of 1 MB', () => `{"${'_a'.repeat(500_000)}":1}`],
    ['names of 1 kB', () => `{"app":{${many(900, (at) => `"${'_a'.repeat(500)}${at}":1`)}}}`],
    ['many short names', () => `{"app":{${many(1_000, (at) => `"a_${at}_b${'_c'.repeat(20)}":1`)}}}`],
  ])('an update with %s', async (_, body) => {
    const { outcome } = await send(`/api/v1/apps/${await scene.app()}`, body())
    expect(outcome).toBe('400/3 INPUT_INVALID')
  })

  test('long names of neighbours', async () => {
    const paths = Array.from({ length: 15 }, () => '_a'.repeat(32_000))
    const { outcome } = await send('/api/v1/search/users', JSON.stringify({ expandMask: { paths } }))
    expect(outcome).toBe('200')
  })

  test('10,000 members whom nobody knows', async () => {
    const { appId, id } = await scene.entitlement(await scene.app())
    const userIds = Array.from({ length: 10_000 }, (_, at) => `nobody${at}`)
    const path = `/api/v1/apps/${appId}/entitlements/${id}/add-manual-user`
    const { outcome, text } = await send(path, JSON.stringify({ userIds }))
    expect(outcome).toBe('200')
    expect(text).toContain('"nobody9999":"There is no user nobody9999."')
  })

  test('address blocks within address blocks', async () => {
    const cidrs = ['0.0.0.0/0', ...Array.from({ length: 99 }, (_, at) => `10.${at}.0.0/16`)].toReversed()
    const key = await scene.access.makeCaller(['system:owner'], { cidrs })
    const token = await getToken(scene.server, key)
    const blocks = (count: number): string =>
      JSON.stringify({
        displayName: 'x',
        allowSourceCidr: Array.from({ length: count }, (_, at) => `192.168.${at >> 8}.${at & 255}`),
      })
    // 10,000 times 100 took 16 s.
    const tooMany = await send('/api/v1/iam/personal_clients', blocks(10_000), {}, token)
    expect(tooMany).toMatchObject({
      outcome: '400/3 INPUT_INVALID',
      text: expect.stringContaining('at most 100 blocks') as unknown,
    })
    const fair = await send('/api/v1/iam/personal_clients', blocks(100), {}, token)
    expect(fair.outcome).toBe('200')
  })

  test('a form of many parameters', async () => {
    const form = many(100_000, (at) => `k${at}=`, '&')
    const { text } = await send('/auth/v1/token', form, { 'content-type': 'application/x-www-form-urlencoded' })
    expect(text).toContain('larger than 64 KiB')
  })
})

describe('a file that is made to be slow is refused without keeping others waiting', () => {
  const jsonl = 'application/jsonl'
  const csv = 'text/csv'
  test.each([
    // As it was sent: quadratic, 91 s.
    ['a header of 1 MB', csv, `${many(120_000, (at) => `c${at}`)}\n`, 'more than 1000 columns'],
    ['a header of commas', csv, `${','.repeat(mebibyte)}\n`, 'more than 1000 columns'],
    ['a header of one name', csv, `${many(900, () => 'a')}\n`, 'two columns have the name'],
    ['a row of commas', csv, `externalId\n${','.repeat(mebibyte)}\n`, 'more than 1000 columns'],
    ['a row of quotes', csv, `externalId\n${'"",'.repeat(300_000)}\n`, 'more than 1000 columns'],
    ['many rows that are wrong', csv, `externalId,kind\n${'a,b\n'.repeat(60_000)}`, 'is not one of'],
    ['many lines that are no JSON', jsonl, 'x\n'.repeat(60_000), 'is not JSON'],
    ['many lines without a key', jsonl, '{}\n'.repeat(60_000), 'externalId: is missing'],
    ['levels', jsonl, `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}\n`, 'nested more than 64 levels'],
    ['names', jsonl, `{${many(90_000, (at) => `"${at.toString(36)}":1`)}}\n`, 'more than 10000 fields'],
    [
      'a profile of many names',
      jsonl,
      `{"externalId":"a","profile":{${many(90_000, (at) => `"${at.toString(36)}":1`)}}}\n`,
      'more than 10000 fields',
    ],
    [
      'a profile of many values',
      jsonl,
      `{"externalId":"a","profile":{"a":[${many(400_000, () => '0')}]}}\n`,
      'at most 65536 characters',
    ],
  ])('%s', async (_, type, file, why) => {
    const { outcome, text } = await send('/api/v1/imports?kind=user', file, { 'content-type': type })
    expect(outcome).toBe('400/3 IMPORT_REFUSED')
    expect(text).toContain(why)
  })
})

longTest('a page of large records is sent without keeping others waiting', async () => {
  const { server, access } = scene
  const appId = await scene.app()
  const owner = await access.makeCaller(['system:application-admin'])
  await scene.post(`/api/v1/apps/${appId}/owners/${owner.userId}`, {})
  for (let i = 0; i < 100; i++) await scene.entitlement(appId, `Large ${i}`)
  // As large as they could be made until their size in all was limited.
  await server.db`
    update entitlements set annotations = (select jsonb_object_agg('k' || i, repeat('ä', 4000)) from generate_series(1, 40) i)
    where app_id = ${appId}`
  const ownerToken = await getToken(server, owner)
  for (const token of [scene.admin.token, ownerToken]) {
    // Piece by piece: this thread is the client's as well.
    const pieces = await withoutHolding(async () => {
      const headers = { authorization: `Bearer ${token}` }
      const reply = await fetch(`${server.url}/api/v1/apps/${appId}/entitlements?page_size=100`, { headers })
      expect(reply.status).toBe(200)
      const all: Uint8Array[] = []
      for await (const piece of reply.body as ReadableStream<Uint8Array>) all.push(piece)
      return all
    })
    const { list } = JSON.parse(Buffer.concat(pieces).toString()) as Listed
    expect(list).toHaveLength(100)
    expect(list[99]?.appEntitlement.annotations['k40']).toBe('ä'.repeat(4000))
  }
})
