import { describe, expect, test } from 'vitest'
import { findTenantByHost } from '#rooms/foundation/tenants/index.ts'
import { placeOf } from '#rooms/governance/notifications/place.ts'
import { run } from '../cli/command.ts'
import {
  ask,
  askToken,
  assertionOf,
  byAssertion,
  bySecret,
  eventually,
  fieldsOf,
  hostIn,
  type Json,
  outcomeOf,
} from '../fixture/access.ts'
import { byLink } from '../sessions/support.ts'
import {
  added,
  addPasskey,
  browserAt,
  byPasskeyAt,
  changed,
  company,
  moved,
  open,
  post,
  prepare,
  scene,
  signInAt,
} from './scene.ts'

prepare()

const list = async (browser: { ask: (path: string) => Promise<{ json: Json }> }): Promise<Json[]> =>
  (await browser.ask('/api/v1/address')).json['list'] as Json[]

describe('another address', () => {
  test('is planned: what depends on the present one, and what people have to do', async () => {
    const at = await company()
    await addPasskey(at.admin, at.old)
    await scene.access.makeKey(at.adminId, {}, at.tenant)
    const plan = await at.admin.ask('/api/v1/address/plan', { body: { address: at.wanted } })
    expect(plan.json).toMatchObject({ address: `https://${at.wanted}`, shortcoming: '' })
    const uses = plan.json['uses'] as Json[]
    expect(uses.map(({ kind, count }) => [kind, count])).toEqual([
      ['CREDENTIALS', 1],
      ['PASSKEYS', 1],
      ['LINKS', 0],
    ])
    expect(uses[1]?.['action']).toContain(`https://${at.old}/move`)
    // Nothing was changed.
    expect(await list(at.admin)).toMatchObject([{ host: at.old, state: 'CURRENT' }])
    expect((await ask(scene.server, '/auth/v1/jwks', { host: at.wanted })).status).toBe(404)
    const plain = await at.admin.ask('/api/v1/address/plan', { body: { address: `http://${at.wanted}` } })
    expect(plain.json['shortcoming']).toContain('Without HTTPS')
  })

  test('works beside the present one as soon as it is added, and after it is used; the old one sends browsers there', async () => {
    const at = await company()
    const key = await scene.access.makeKey(at.adminId, {}, at.tenant)
    await added(at)
    expect(await list(at.admin)).toMatchObject([
      { host: at.old, state: 'CURRENT' },
      { host: at.wanted, state: 'NEW', reachedAt: expect.any(String) as string, reachProblem: '' },
    ])
    // Only from there can it be taken into use.
    expect(outcomeOf(await post(at.admin, `${at.wanted}/use`))).toBe('400/9 ADDRESS_OPENED_ELSEWHERE')
    const noPort = { host: `${at.wanted}:99999`, token: await scene.access.makeToken(key, at.tenant), body: {} }
    const strange = await ask(scene.server, `/api/v1/address/names/${at.wanted}/use`, noPort)
    expect(outcomeOf(strange)).toBe('400/9 ADDRESS_OPENED_ELSEWHERE')
    const there = await moved(at.admin, at.wanted)
    const used = await post(there, `${at.wanted}/use`)
    expect(used.json['address']).toMatchObject({ host: at.wanted, state: 'CURRENT', address: `https://${at.wanted}` })
    expect(await list(there)).toMatchObject([
      { host: at.old, state: 'OLD', replacedAt: expect.any(String) as string },
      { host: at.wanted, state: 'CURRENT', endsAt: null },
    ])
    // A credential from before keeps its client id, and works at both names, for either audience.
    expect(hostIn(key.clientId)).toBe(at.old)
    expect(await eventually(async () => (await pageAt(at.old, '/')).status === 302)).toBe(true)
    for (const host of [at.old, at.wanted]) {
      const token = await askToken(scene.server, bySecret(key), { host })
      expect(token.status, token.text).toBe(200)
      const asked = { host, token: token.json['access_token'] as string }
      expect((await ask(scene.server, '/api/v1/auth/introspect', asked)).status).toBe(200)
      for (const aud of [at.old, at.wanted])
        expect((await askToken(scene.server, byAssertion(key, assertionOf(key, { aud })), { host })).status).toBe(200)
      const other = byAssertion(key, assertionOf(key, { aud: 'elsewhere.example' }))
      expect((await askToken(scene.server, other, { host })).status).toBe(401)
    }
    // A session at the old name is still one there.
    expect((await at.admin.ask('/api/v1/auth/session')).json['tenantDomain']).toBe(at.wanted)
    // New client ids, and links in messages, have the new name.
    const [tenant] = [await findTenantByHost(scene.access.world.db, at.old)]
    if (!tenant) throw new Error('no tenant')
    expect(hostIn((await scene.access.makeKey(at.adminId, {}, tenant)).clientId)).toBe(at.wanted)
    expect(placeOf(tenant)).toEqual({ origin: `https://${at.wanted}`, organisation: at.wanted })
    expect((await pageAt(at.old, '/apps?owner=none')).headers.location).toBe(
      `https://${at.wanted}/apps?owner=none&moved_from=${at.old}`,
    )
    expect((await pageAt(at.old, '//evil.example/x')).headers.location).toBe(
      `https://${at.wanted}//evil.example/x?moved_from=${at.old}`,
    )
    const found = (host: string) => ask(scene.server, `/auth/v1/old_address?host=${host}`, { host: at.wanted })
    expect((await found(at.old)).json).toEqual({ address: `https://${at.old}` })
    for (const host of [at.wanted, 'elsewhere.example', '']) expect((await found(host)).json).toEqual({ address: '' })
    // Where people sign in to continue at the new name, they stay.
    expect((await pageAt(at.old, '/move')).status).not.toBe(302)
    expect((await pageAt(at.old, '/sign-in?returnTo=%2Fmove')).status).not.toBe(302)
    expect((await pageAt(at.wanted, '/apps')).status).not.toBe(302)
  })

  test('is changed back, and again', async () => {
    const at = await company()
    await changed(at)
    const back = await signInAt(at.tenant, at.old, at.adminId)
    expect((await post(back, `${at.old}/use`)).status).toBe(200)
    expect(await list(back)).toMatchObject([
      { host: at.old, state: 'CURRENT' },
      { host: at.wanted, state: 'OLD' },
    ])
    expect(outcomeOf(await post(back, `${at.old}/use`))).toBe('400/9 ADDRESS_CURRENT')
  })

  test('is what a passkey belongs to: people sign in at the old one, continue at the new one, and add one there', async () => {
    const at = await company()
    const passkey = await addPasskey(at.admin, at.old)
    const there = await changed(at)
    expect(outcomeOf(await byPasskeyAt(at.wanted, passkey))).toBe('400/3 SIGN_IN_REFUSED')
    expect((await byPasskeyAt(at.old, passkey)).status).toBe(200)
    const people = async () => (await there.ask(`/api/v1/address/names/${at.old}/people`)).json['list'] as Json[]
    expect(await people()).toMatchObject([{ userId: at.adminId, passkeyCount: 1 }])
    expect((await byPasskeyAt(at.wanted, await addPasskey(there, at.wanted))).status).toBe(200)
    expect(await people()).toEqual([])
    const credentials = await there.ask(`/api/v1/address/names/${at.old}/credentials`)
    expect(credentials.json['list']).toEqual([])
    const uses = await there.ask(`/api/v1/address/names/${at.old}/uses`)
    expect((uses.json['list'] as Json[]).map(({ kind }) => kind)).toEqual(['PASSKEYS', 'LINKS'])
  })

  test('lists the credentials whose client ids have the old name', async () => {
    const at = await company()
    const key = await scene.access.makeKey(at.adminId, { name: 'Terraform' }, at.tenant)
    const there = await changed(at)
    const reply = await there.ask(`/api/v1/address/names/${at.old}/credentials`)
    expect(reply.json['list']).toMatchObject([
      { kind: 'credential', id: key.id, clientId: key.clientId, displayName: 'Terraform', userId: at.adminId },
    ])
  })
})

describe('the old address', () => {
  test('does not end before a Super Administrator has signed in at the new one, and can again', async () => {
    const at = await company()
    const there = await changed(at)
    expect(outcomeOf(await post(there, `${at.wanted}/end`))).toBe('400/9 ADDRESS_CURRENT')
    expect(outcomeOf(await post(there, `${at.old}/end`))).toBe('400/9 ADDRESS_LOCKS_OUT')
    const passkey = await addPasskey(there, at.wanted)
    // It was added, but never used.
    expect(outcomeOf(await post(there, `${at.old}/end`))).toBe('400/9 ADDRESS_LOCKS_OUT')
    // Nor does somebody count who is not a Super Administrator.
    const otherId = await scene.access.makeUser({ tenant: at.tenant, roles: ['system:user'] })
    const other = await signInAt(at.tenant, at.wanted, otherId)
    expect((await byPasskeyAt(at.wanted, await addPasskey(other, at.wanted))).status).toBe(200)
    expect(outcomeOf(await post(there, `${at.old}/end`))).toBe('400/9 ADDRESS_LOCKS_OUT')
    expect((await byPasskeyAt(at.wanted, passkey)).status).toBe(200)
    // Not from the old name: it may be the only one that works for this person.
    const back = await signInAt(at.tenant, at.old, at.adminId)
    expect(outcomeOf(await post(back, `${at.old}/end`))).toBe('400/9 ADDRESS_OPENED_ELSEWHERE')
    const ended = await post(there, `${at.old}/end`)
    expect(ended.json['address']).toMatchObject({ host: at.old, state: 'ENDED' })
    expect(
      await eventually(async () => (await ask(scene.server, '/auth/v1/jwks', { host: at.old })).status === 404),
    ).toBe(true)
    expect((await there.ask('/api/v1/auth/session')).status).toBe(200)
  })

  test('keeps client ids valid after it has ended, but is no audience any more', async () => {
    const at = await company()
    const key = await scene.access.makeKey(at.adminId, {}, at.tenant)
    const there = await changed(at)
    expect((await byPasskeyAt(at.wanted, await addPasskey(there, at.wanted))).status).toBe(200)
    expect(outcomeOf(await post(there, `${at.old}/end`))).toBe('200')
    const byAudience = (aud: string) =>
      askToken(scene.server, byAssertion(key, assertionOf(key, { aud })), { host: at.wanted })
    expect(await eventually(async () => (await byAudience(at.old)).status === 401)).toBe(true)
    expect((await byAudience(at.wanted)).status).toBe(200)
    expect((await askToken(scene.server, bySecret(key), { host: at.wanted })).status).toBe(200)
  })

  test('ends at its time; as long as nobody could sign in without it, it stays for another day', async () => {
    const at = await company()
    const there = await changed(at)
    const passkey = await addPasskey(there, at.wanted)
    expect((await byPasskeyAt(at.wanted, passkey)).status).toBe(200)
    const soon = new Date(Date.now() + 3_600_000).toISOString()
    expect(fieldsOf(await post(there, `${at.old}/end`, { endsAt: '2020-01-01T00:00:00Z' }))).toEqual(['endsAt'])
    expect(fieldsOf(await post(there, `${at.old}/end`, { endsAt: '2099-01-01T00:00:00Z' }))).toEqual(['endsAt'])
    const reply = await post(there, `${at.old}/end`, { endsAt: soon })
    expect(reply.json['address']).toMatchObject({ state: 'OLD', endsAt: soon })
    const { db } = scene.server
    // Meanwhile the passkey is deleted.
    const [mine] = (await there.ask('/api/v1/auth/passkeys')).json['list'] as Json[]
    await there.ask(`/api/v1/auth/passkeys/${mine?.['id'] as string}`, { method: 'DELETE' })
    await db`update tenant_hosts set ends_at = now() - interval '1 minute' where host = ${at.old}`
    const endsAt = async () => Date.parse((await list(there))[0]?.['endsAt'] as string)
    expect(await eventually(async () => (await endsAt()) > Date.now() + 80_000_000)).toBe(true)
    expect((await byPasskeyAt(at.wanted, await addPasskey(there, at.wanted))).status).toBe(200)
    await db`update tenant_hosts set ends_at = now() - interval '1 minute' where host = ${at.old}`
    expect(await eventually(async () => (await list(there))[0]?.['state'] === 'ENDED')).toBe(true)
  })

  test('is nobody else’s for 90 days, and free for everyone after that', async () => {
    const at = await company()
    const there = await changed(at)
    expect((await byPasskeyAt(at.wanted, await addPasskey(there, at.wanted))).status).toBe(200)
    expect((await post(there, `${at.old}/end`)).status).toBe(200)
    await expect(scene.access.makeTenant(at.old)).rejects.toThrow('HOST_TAKEN')
    const other = await company()
    expect(outcomeOf(await post(other.admin, '', { address: at.old }))).toBe('409/6 HOST_TAKEN')
    // Its own tenant can use it again.
    expect((await post(there, '', { address: at.old })).status).toBe(200)
    expect((await post(there, `${at.old}/end`)).json['address']).toBe(null)
    // One that was never used is free at once.
    expect((await post(other.admin, '', { address: at.old })).status).toBe(200)
    expect((await post(other.admin, `${at.old}/end`)).status).toBe(200)
    const { db } = scene.server
    await post(there, '', { address: at.old })
    await db`update tenant_hosts set ended_at = now() - interval '91 days' where host = ${at.old}`
    expect((await scene.access.makeTenant(at.old)).domain).toBe(at.old)
  })
})

describe('nobody takes a name', () => {
  test('that another tenant has, has added or had', async () => {
    const at = await company()
    const other = await company()
    await changed(other)
    for (const name of [other.old, other.wanted, `${other.wanted}:8443`, other.wanted.toUpperCase()])
      expect(outcomeOf(await post(at.admin, '', { address: name }))).toBe('409/6 HOST_TAKEN')
    const third = await company()
    await post(third.admin, '', { address: third.wanted })
    const refused = await post(at.admin, '', { address: third.wanted })
    expect(outcomeOf(refused)).toBe('409/6 HOST_TAKEN')
    // It does not say whose it is.
    expect(refused.text).not.toContain(third.old)
    await expect(scene.access.makeTenant(third.wanted)).rejects.toThrow('HOST_TAKEN')
  })

  test('at the same time as another', async () => {
    const [one, two] = [await company(), await company()]
    const replies = await Promise.all([one, two].map(({ admin }) => post(admin, '', { address: 'shared.example' })))
    expect(replies.map(outcomeOf).toSorted()).toEqual(['200', '409/6 HOST_TAKEN'])
    const both = await Promise.allSettled([
      scene.access.makeTenant('raced.example'),
      post(one.admin, '', { address: 'raced.example' }).then((reply) => {
        if (reply.status !== 200) throw new Error(outcomeOf(reply))
      }),
    ])
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('that is none, or this machine, or the present one with another port, or more than five', async () => {
    const at = await company()
    const bad = [
      '',
      'https://',
      'ftp://a.example',
      'a.example/path',
      'a b',
      'https://u:p@a.example',
      'a_b.example',
      '*.example',
    ]
    for (const address of [...bad, 'localhost', '127.0.0.1:8080', `${at.old}:8443`, 'x'.repeat(301)])
      expect(fieldsOf(await post(at.admin, '', { address })), address).toEqual(['address'])
    for (const n of [1, 2, 3, 4])
      expect((await post(at.admin, '', { address: `many${n}.${at.wanted}` })).status).toBe(200)
    expect(outcomeOf(await post(at.admin, '', { address: at.wanted }))).toBe('400/9 ADDRESSES_TOO_MANY')
    expect(outcomeOf(await post(at.admin, '', { address: `many1.${at.wanted}` }))).toBe('409/6 ADDRESS_EXISTS')
  })

  test('of another tenant by its path', async () => {
    const [at, other] = [await company(), await company()]
    await added(other)
    for (const what of ['check', 'use', 'end'])
      expect(outcomeOf(await post(at.admin, `${other.wanted}/${what}`))).toBe('404/5 ADDRESS_NOT_FOUND')
    for (const what of ['uses', 'people', 'credentials'])
      expect(outcomeOf(await at.admin.ask(`/api/v1/address/names/${other.wanted}/${what}`))).toBe(
        '404/5 ADDRESS_NOT_FOUND',
      )
    expect(outcomeOf(await at.admin.ask('/api/v1/auth/move', { body: { host: other.wanted } }))).toBe(
      '404/5 ADDRESS_NOT_FOUND',
    )
  })
})

describe('only a Super Administrator who has just signed in', () => {
  test('changes an address; a Read-Only Administrator reads it, others do not', async () => {
    const at = await company(['system:viewer'])
    expect((await list(at.admin)).length).toBe(1)
    expect(outcomeOf(await post(at.admin, '', { address: at.wanted }))).toBe('403/7 PERMISSION_DENIED')
    const other = await company(['system:user'])
    expect(outcomeOf(await other.admin.ask('/api/v1/address'))).toBe('403/7 PERMISSION_DENIED')
  })

  test('moves to another name, which was seen to lead here, with a link that works once, there', async () => {
    const at = await company()
    await post(at.admin, '', { address: at.wanted })
    const asked = { body: { host: at.wanted } }
    expect(outcomeOf(await at.admin.ask('/api/v1/auth/move', asked))).toBe('400/9 ADDRESS_NOT_REACHED')
    const { url } = (await post(at.admin, `${at.wanted}/check`)).json as { url: string }
    // The one-time address belongs to its name.
    const elsewhere = url.replace(at.wanted, at.old)
    expect(outcomeOf(await open(elsewhere))).toBe('404/5 ADDRESS_CHECK_INVALID')
    expect((await open(url)).status).toBe(200)
    expect(outcomeOf(await open(url))).toBe('404/5 ADDRESS_CHECK_INVALID')
    const link = (await at.admin.ask('/api/v1/auth/move', asked)).json['url'] as string
    expect(link).toMatch(new RegExp(`^https://${at.wanted}/sign-in#move-`))
    const body = { token: new URL(link).hash.slice(1) }
    // Whoever got hold of it cannot use it at another name.
    expect(outcomeOf(await browserAt(at.old).ask(byLink, { body }))).toBe('400/3 SIGN_IN_REFUSED')
    expect((await browserAt(at.wanted).ask(byLink, { body })).status).toBe(200)
    expect(outcomeOf(await browserAt(at.wanted).ask(byLink, { body }))).toBe('400/3 SIGN_IN_REFUSED')
  })

  test('continues at the new name also if the sign-in policy has no links', async () => {
    const at = await company()
    await added(at)
    const ran = await run([
      ...['tenant', 'sign-in-policy', 'set', '--allow', 'passkey', '--tenant', at.old],
      ...['--database-url', scene.server.databaseUrl, '--data-dir', scene.server.config.dataDir],
    ])
    expect(ran.code, ran.stderr).toBe(0)
    // The session by a link has ended with the policy; one by passkey is begun anew.
    expect(outcomeOf(await at.admin.ask('/api/v1/auth/move', { body: { host: at.wanted } }))).toMatch(/^40[13]/)
  })

  test('sees through which proxy the page was reached', async () => {
    const at = await company()
    const told = await at.admin.ask('/api/v1/address/request', { headers: { 'x-forwarded-for': '203.0.113.7' } })
    expect(told.json).toMatchObject({
      address: `https://${at.old}`,
      sourceAddress: '203.0.113.7',
      forwardedFor: '203.0.113.7',
      forwardedProto: 'https',
      isForwardingUsed: true,
      problems: [],
    })
    const wrong = await at.admin.ask('/api/v1/address/request', {
      headers: { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-host': 'public.example' },
    })
    expect(wrong.json['problems']).toEqual([expect.stringContaining('must pass on the Host header')])
  })

  test('is told when the name reached the server without the HTTPS that the browser saw', async () => {
    const at = await company()
    await post(at.admin, '', { address: at.wanted })
    const { url } = (await post(at.admin, `${at.wanted}/check`)).json as { url: string }
    const reply = await ask(scene.server, new URL(url).pathname, { host: at.wanted, headers: { accept: 'text/html' } })
    expect(reply.text).toContain(`http://${at.wanted}`)
    expect((await list(at.admin))[1]?.['reachProblem']).toContain('X-Forwarded-Proto')
    expect(outcomeOf(await at.admin.ask('/api/v1/auth/move', { body: { host: at.wanted } }))).toBe(
      '400/9 ADDRESS_NOT_REACHED',
    )
  })
})

describe('the operator', () => {
  const operate = (...args: string[]) =>
    run([
      ...['tenant', 'address', ...args],
      ...['--database-url', scene.server.databaseUrl, '--data-dir', scene.server.config.dataDir],
    ])

  test('adds, uses and ends names', async () => {
    const at = await company()
    const of = ['--tenant', at.old]
    const adding = await operate('add', `https://${at.wanted}`, ...of)
    expect(adding.stdout, adding.stderr).toContain(`${at.old} is served at https://${at.wanted} too, until`)
    expect(adding.stdout).toContain('Links in messages lead to')
    expect((await operate('use', at.wanted, ...of)).stdout).toBe(
      `The address is https://${at.wanted} now. ${at.old} still works, and sends browsers there.\n`,
    )
    const shown = await operate('list', ...of)
    expect(shown.stdout).toMatch(new RegExp(`https://${at.old} +old .*\n.*https://${at.wanted} +current`))
    expect(JSON.parse((await operate('list', '--json', ...of)).stdout)).toHaveLength(2)
    expect((await operate('end', at.old, ...of)).stderr).toContain('No Super Administrator has signed in')
    expect((await operate('end', at.old, '--at', 'never', ...of)).stderr).toContain('--at is not a time')
    const at2 = new Date(Date.now() + 86_400_000).toISOString()
    expect((await operate('end', at.old, '--anyway', '--at', at2, ...of)).stdout).toBe(`${at.old} ends at ${at2}.\n`)
    expect((await operate('end', at.old, '--anyway', ...of)).stdout).toContain(`${at.old} no longer works.`)
    expect((await operate('use', at.old, '--tenant', at.wanted)).stderr).toContain('is not a host name')
    expect((await operate('add', 'localhost:9999', '--tenant', at.wanted)).stderr).toContain(
      'belongs to another tenant',
    )
  })
})

const pageAt = (host: string, path: string) =>
  ask(scene.server, path, { host, headers: { accept: 'text/html', 'x-forwarded-proto': 'https' } })
