import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import { run } from '../cli/command.ts'
import { makeConnector } from '../connectors/connector.ts'
import {
  type Access,
  ask,
  askToken,
  bySecret,
  eventually,
  fieldsOf,
  type Json,
  newAddress,
  openAccess,
  outcomeOf,
  type Reply,
  type RoleName,
} from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { byLink, makeToken, openBrowser } from '../sessions/support.ts'

let server: TestServer
let access: Access
beforeAll(async () => {
  server = await startServer({ flags: { 'trusted-proxy': ['127.0.0.1'] } })
  access = await openAccess(server)
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const office = '198.51.100.7'
const settings = '/api/v1/settings/session'
const current = '/api/v1/auth/session'
const denied = '403/7 SOURCE_ADDRESS_DENIED'
const only = (...sourceCidr: string[]) => ({ enabled: true, sourceCidr })

let tenants = 0
/** A tenant with an administrator who works in the office. */
async function makeTenant() {
  tenants += 1
  const tenant = await access.makeTenant(`settings-${tenants}.example.com`)
  const caller = async (roles: RoleName[]) => {
    const key = await access.makeCaller(roles, {}, tenant)
    const token = await access.makeToken(key, tenant)
    const asks = (path: string, { from = office, ...asking }: Parameters<typeof ask>[2] = {}): Promise<Reply> =>
      ask(server, path, { host: tenant.domain, token, from, ...asking })
    return { key, asks }
  }
  const admin = await caller(['system:owner'])
  const set = (sessionSettings: Json, more: Json = {}) => admin.asks(settings, { body: { sessionSettings, ...more } })
  return { tenant, caller, admin, set }
}
const browserAt = (tenant: Tenant, from: string) =>
  openBrowser(server, {
    host: tenant.domain,
    from,
    headers: { 'x-forwarded-proto': 'https', origin: `https://${tenant.domain}` },
  })
const becomes = async (asked: () => Promise<Reply>, outcome: string): Promise<void> => {
  let last = ''
  const isSo = await eventually(async () => {
    last = outcomeOf(await asked())
    return last === outcome
  })
  expect(isSo, last).toBe(true)
}

describe('allowed addresses', () => {
  test('limit access tokens of administrators and of others apart, at the API and at the token endpoint', async () => {
    const { tenant, caller, admin, set } = await makeTenant()
    const basic = await caller(['system:user'])
    const elsewhere = newAddress()
    expect(outcomeOf(await set({ pccAdminSource: only('198.51.100.0/24') }))).toBe('200')
    await becomes(() => admin.asks(current, { from: elsewhere }), denied)
    const issued = () => askToken(server, bySecret(admin.key), { host: tenant.domain, from: elsewhere })
    expect((await issued()).json).toMatchObject({ error: 'invalid_client' })
    expect(outcomeOf(await admin.asks(current))).toBe('200')
    expect(outcomeOf(await basic.asks(current, { from: elsewhere }))).toBe('200')
    expect(outcomeOf(await set({ pccUserSource: only(office), pccAdminSource: null }, { updateMask: '*' }))).toBe('200')
    await becomes(() => basic.asks(current, { from: elsewhere }), denied)
    await becomes(() => basic.asks(current), '200')
    expect(outcomeOf(await set({}, { updateMask: 'pccAdminSource' }))).toBe('200')
    await becomes(() => admin.asks(current, { from: elsewhere }), '200')
  })

  test('limit sessions of the console, when they begin and later', async () => {
    const { tenant, set } = await makeTenant()
    const userId = await access.makeUser({ tenant })
    const signIn = async (from: string) => {
      const browser = browserAt(tenant, from)
      return { browser, reply: await browser.ask(byLink, { body: { token: await makeToken(access, userId, tenant) } }) }
    }
    const before = await signIn(newAddress())
    expect(outcomeOf(before.reply)).toBe('200')
    expect(outcomeOf(await set({ ssoUserSource: only(office) }))).toBe('200')
    expect(outcomeOf(await before.browser.ask(current))).toBe(denied)
    expect(outcomeOf(await before.browser.ask(current, { from: office }))).toBe('200')
    const after = await signIn(newAddress())
    expect(outcomeOf(after.reply)).toBe('400/3 SIGN_IN_REFUSED')
    expect(after.reply.text).toContain('does not allow the console to be used from this address')
    expect(outcomeOf((await signIn(office)).reply)).toBe('200')
  })

  test('limit connectors', async () => {
    const { tenant, set } = await makeTenant()
    const connector = { ...(await makeConnector(access, tenant)), id: '', userId: '' }
    const issue = (from: string) => askToken(server, bySecret(connector), { host: tenant.domain, from })
    expect((await issue(newAddress())).status).toBe(200)
    expect(outcomeOf(await set({ connectorSource: only('2001:db8::/32') }))).toBe('200')
    expect((await issue(newAddress())).text).toContain('does not allow connectors from this address')
    expect((await issue('2001:db8::9')).status).toBe(200)
  })

  test('are not changed so that the caller is locked out', async () => {
    const { tenant, admin, set } = await makeTenant()
    const locked = '400/9 POLICY_LOCKS_OUT'
    expect(outcomeOf(await set({ pccAdminSource: only('192.0.2.0/24') }))).toBe(locked)
    const browser = browserAt(tenant, office)
    const userId = await access.makeUser({ tenant, roles: ['system:owner'] })
    await browser.ask(byLink, { body: { token: await makeToken(access, userId, tenant) } })
    const body = { sessionSettings: { ssoAdminSource: only('192.0.2.0/24') } }
    expect(outcomeOf(await browser.ask(settings, { body }))).toBe(locked)
    expect((await admin.asks(settings)).json['sessionSettings']).toMatchObject({
      pccAdminSource: { enabled: false, sourceCidr: [] },
      ssoAdminSource: { enabled: false, sourceCidr: [] },
    })
  })

  test('must be blocks, and some, and are in the log as an alarm', async () => {
    const { tenant, admin, set } = await makeTenant()
    const wrong = await set({ ssoUserSource: only(), connectorSource: only('10.0.0.0/33', 'home') })
    expect(fieldsOf(wrong)).toEqual([
      'sessionSettings.ssoUserSource.sourceCidr',
      'sessionSettings.connectorSource.sourceCidr[0]',
      'sessionSettings.connectorSource.sourceCidr[1]',
    ])
    for (const [name, value] of [
      ['externalClientsEnabled', true],
      ['externalClientSource', only(office)],
      ['clientIdMetadataDocumentPolicy', 'CLIENT_ID_METADATA_DOCUMENT_POLICY_ALLOW_ALL'],
      ['clientIdApprovalRequestPolicyId', access.world.newId()],
    ] as const)
      expect(outcomeOf(await set({ [name]: value }))).toBe('400/3 FIELD_NOT_SUPPORTED')
    expect(outcomeOf(await set({ ssoUserSource: only(office) }))).toBe('200')
    const [event] = await server.db<{ severity: string }[]>`
      select event::jsonb ->> 'severity' as severity from systemlog_events
      where tenant_id = ${tenant.id} and event::jsonb ->> 'message' like 'Set the addresses%'`
    expect(event?.severity).toBe('High')
    expect(outcomeOf(await admin.asks(settings, { body: {} }))).toBe('400/3 INPUT_INVALID')
  })

  test('that another hand wrote let nobody in, until an operator removes them', async () => {
    const { tenant, admin, set } = await makeTenant()
    expect(outcomeOf(await set({ ssoUserSource: only(office) }))).toBe('200')
    await server.db`
      update source_limits set limits = jsonb_set(limits, '{ssoUserSource,enabled}', 'false') where tenant_id = ${tenant.id}`
    await becomes(() => admin.asks(current), denied)
    const policy = ['tenant', 'sign-in-policy'] as const
    const where = ['--tenant', tenant.domain, '--data-dir', server.config.dataDir, '--database-url', server.databaseUrl]
    expect((await run([...policy, 'show', ...where])).stdout).toContain('Allowed addresses for connectors: none')
    const done = await run([...policy, 'set', '--any-address', ...where])
    expect(done, done.stderr).toMatchObject({ code: 0 })
    await becomes(() => admin.asks(current), '200')
  })
})

test('the length of sessions is that of the sign-in policy', async () => {
  const { admin, set } = await makeTenant()
  const before = (await admin.asks(settings)).json['sessionSettings']
  expect(before).toMatchObject({ maxSessionLength: '604800s' })
  // The published TypeScript client does not read null here.
  expect(before).not.toHaveProperty('externalClientSource')
  expect((await set({ maxSessionLength: '3600s' })).json['sessionSettings']).toMatchObject({
    maxSessionLength: '3600s',
  })
  expect((await admin.asks('/api/v1/auth/sign_in_policy')).json['policy']).toMatchObject({
    sessionTime: '3600s',
    idleTime: '3600s',
  })
  expect(fieldsOf(await set({ maxSessionLength: '1s' }))).toEqual(['sessionSettings.maxSessionLength'])
})

test('an address is tested against blocks', async () => {
  const { admin } = await makeTenant()
  const verdict = async (allowCidr: string[], sourceIp?: string) => {
    const { json } = await admin.asks(`${settings}/test-source-ip`, {
      body: { allowCidr, ...(sourceIp && { sourceIp }) },
    })
    return [json['allowed'], json['checkedIp'], (json['details'] as Json | null)?.['code']]
  }
  expect(await verdict(['10.0.0.0/8'], '10.2.3.4')).toEqual([true, '10.2.3.4', 0])
  expect(await verdict(['10.0.0.0/8'], '::ffff:10.2.3.4')).toEqual([true, '::ffff:10.2.3.4', 0])
  expect(await verdict(['10.0.0.0/8', '2001:db8::/32'], '192.0.2.1')).toEqual([false, '192.0.2.1', 7])
  expect(await verdict([], '192.0.2.1')).toEqual([false, '192.0.2.1', 7])
  expect(await verdict([office])).toEqual([true, office, 0])
  expect(await verdict(['10.0.0.0/40'], '10.2.3.4')).toEqual([false, '10.2.3.4', 3])
  expect(await verdict(['10.0.0.0/8'], 'nowhere')).toEqual([false, 'nowhere', 3])
})

test('domains are replaced as a whole, and those that stay keep their ids', async () => {
  const { admin } = await makeTenant()
  const path = '/api/v1/settings/domains'
  const put = (newDomains: string[]) => admin.asks(path, { method: 'PUT', body: { newDomains } })
  const listed = (reply: Reply) => reply.json['list'] as { id: string; domain: string }[]
  const first = listed(await put(['Example.com', 'b.example', 'example.com']))
  expect(first.map(({ domain }) => domain)).toEqual(['b.example', 'example.com'])
  const second = listed(await put(['example.com', 'c.example']))
  expect(second.map(({ domain }) => domain)).toEqual(['c.example', 'example.com'])
  expect(second[1]).toEqual(first[1])
  expect(listed(await admin.asks(path))).toEqual(second)
  const wrong = ['user@example.com', 'localhost', 'a..b', '-a.example', '10.0.0.1', `${'a'.repeat(64)}.example`]
  expect(fieldsOf(await put(wrong))).toEqual(wrong.map((_, i) => `newDomains[${i}]`))
  expect(listed(await put([]))).toEqual([])
})

test('accounts with an address of another domain are external', async () => {
  const { tenant, admin } = await makeTenant()
  const { json } = await admin.asks('/api/v1/apps', { body: { displayName: 'Chat' } })
  const appId = (json['app'] as { id: string }).id
  const userId = await access.makeUser({ tenant })
  const emails = ['a@example.com', 'b@EXAMPLE.com', 'c@gmail.example', '']
  for (const [i, email] of emails.entries())
    await server.db`
      insert into accounts (tenant_id, app_id, account_id, external_id, user_id, type, status, display_name, email, created_at, updated_at)
      values (${tenant.id}, ${appId}, ${access.world.newId()}, ${`x${i}`}, ${i === 0 || i === 2 ? userId : null},
        'APP_USER_TYPE_USER', 'STATUS_ENABLED', ${`account ${i}`}, ${email}, now(), now())`
  type Found = { appUser: { displayName: string; isExternal: boolean } }
  const external = async () => {
    const found = await admin.asks('/api/v1/search/app_users', {
      body: { appUserDomains: ['APP_USER_DOMAIN_EXTERNAL'] },
    })
    const all = await admin.asks(`/api/v1/apps/${appId}/app_users`)
    const named = (reply: Reply, isWanted: (each: Found) => boolean) =>
      (reply.json['list'] as Found[])
        .filter(isWanted)
        .map(({ appUser }) => appUser.displayName)
        .toSorted()
    const names = named(found, () => true)
    expect(named(all, ({ appUser }) => appUser.isExternal)).toEqual(names)
    return names
  }
  expect(await external()).toEqual(['account 1', 'account 3'])
  await admin.asks('/api/v1/settings/domains', { method: 'PUT', body: { newDomains: ['example.com'] } })
  expect(await external()).toEqual(['account 2', 'account 3'])
})

test('contacts are kept, and what nobody would be told by is refused', async () => {
  const { admin } = await makeTenant()
  const path = '/api/v1/settings/contacts'
  const set = (contacts: Json, updateMask = '') => admin.asks(path, { body: { contacts, updateMask } })
  const before = (await admin.asks(path)).json['contacts']
  expect(before).toMatchObject({ securityEmails: [] })
  expect(before).not.toHaveProperty('createdAt')
  const done = await set({
    securityEmails: ['soc@example.com', 'SOC@example.com'],
    operationsEmails: ['ops@example.com'],
  })
  expect(done.json['contacts']).toMatchObject({
    securityEmails: ['SOC@example.com'],
    operationsEmails: ['ops@example.com'],
    billingEmails: [],
    createdAt: expect.any(String) as unknown,
  })
  await set({}, 'operationsEmails')
  expect((await admin.asks(path)).json['contacts']).toMatchObject({
    securityEmails: ['SOC@example.com'],
    operationsEmails: [],
  })
  expect(fieldsOf(await set({ securityEmails: ['a@b.test>\r\nBcc: x@evil', 'nobody'] }))).toEqual([
    'contacts.securityEmails[0]',
    'contacts.securityEmails[1]',
  ])
  expect(outcomeOf(await set({ billingEmails: ['pay@example.com'] }))).toBe('400/3 FIELD_NOT_SUPPORTED')
})

test('the external id for AWS is always the same, and of each organization its own', async () => {
  const [one, other] = [await makeTenant(), await makeTenant()]
  const idOf = async ({ admin }: typeof one): Promise<unknown> =>
    ((await admin.asks('/api/v1/settings/aws-external-id')).json['awsExternalId'] as Json)['externalId']
  const id = await idOf(one)
  // AWS: 2 to 1,224 characters, letters, digits and some marks.
  expect(id).toMatch(/^[0-9a-f]{40}$/)
  expect(await idOf(one)).toBe(id)
  expect(await idOf(other)).not.toBe(id)
})
