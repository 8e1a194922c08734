import { describe, expect, test } from 'vitest'
import { eventually, fieldsOf, type Json, outcomeOf, type Reply } from '../fixture/access.ts'
import {
  acting,
  another,
  base,
  call,
  caller,
  good,
  own,
  patch,
  post,
  principal,
  remove,
  scene,
  withPermissions,
} from '../principals/scene.ts'
import {
  exchange,
  isMain,
  makeProvider,
  makeTrust,
  prepareFederation,
  providers,
  refused,
  stage,
  tokenBy,
  trustPath,
  trustsOf,
} from './scene.ts'

prepareFederation()

const wellKnown = 'WELL_KNOWN_WORKLOAD_PROVIDER_'
const denied = '403/7 PERMISSION_DENIED'
const noPrincipal = '404/5 SERVICE_PRINCIPAL_NOT_FOUND'
const noTrust = '404/5 FEDERATION_TRUST_NOT_FOUND'
const noProvider = '404/5 FEDERATION_PROVIDER_NOT_FOUND'
const spiffe = { bundleEndpointUrl: 'https://spire.example.org/bundle' }

describe('providers', () => {
  test('of known platforms have their issuer', async () => {
    const issuerOf = async (body: Json): Promise<unknown> => {
      const made = good(await post(scene.admin, providers, { displayName: 'x', ...body }))['provider'] as Json
      expect(made).toMatchObject({
        wellKnownProvider: body['wellKnownProvider'],
        oidc: {},
        spiffe: null,
        disabled: false,
      })
      return made['issuerUrl']
    }
    const github = { wellKnownProvider: `${wellKnown}GITHUB_ACTIONS` }
    expect(await issuerOf(github)).toBe('https://token.actions.githubusercontent.com')
    const ofEnterprise = 'https://token.actions.githubusercontent.com/larkfield'
    expect(await issuerOf({ ...github, issuerUrl: ofEnterprise })).toBe(ofEnterprise)
    expect(await issuerOf({ wellKnownProvider: `${wellKnown}GITLAB_CI` })).toBe('https://gitlab.com')
    expect(await issuerOf({ wellKnownProvider: `${wellKnown}GITLAB_CI`, issuerUrl: 'https://git.example.com' })).toBe(
      'https://git.example.com',
    )
    expect(await issuerOf({ wellKnownProvider: `${wellKnown}HCP_TERRAFORM` })).toBe('https://app.terraform.io')
    const ofAccount = 'https://a1b2.tokens.sts.global.api.aws'
    expect(await issuerOf({ wellKnownProvider: `${wellKnown}AWS_IAM_OUTBOUND`, issuerUrl: ofAccount })).toBe(ofAccount)
    expect(
      await issuerOf({ wellKnownProvider: `${wellKnown}CUSTOM`, issuerUrl: 'https://id.example.com', oidc: {} }),
    ).toBe('https://id.example.com')
  })

  test('of SPIFFE have a trust domain and a bundle, and others have neither', async () => {
    const made = good(
      await post(scene.admin, providers, { displayName: 'x', issuerUrl: 'spiffe://example.org', spiffe }),
    )
    expect(made['provider']).toMatchObject({ wellKnownProvider: `${wellKnown}SPIFFE`, oidc: null, spiffe })
    const wrong = async (body: Json): Promise<unknown> =>
      fieldsOf(await post(scene.admin, providers, { displayName: 'x', ...body }))
    const named = { wellKnownProvider: `${wellKnown}SPIFFE` }
    expect(await wrong({ ...named, issuerUrl: 'https://example.org', spiffe })).toEqual(['issuerUrl'])
    expect(await wrong({ ...named, issuerUrl: 'spiffe://example.org' })).toEqual(['spiffe.bundleEndpointUrl'])
    expect(await wrong({ ...named, issuerUrl: 'spiffe://example.org/path', spiffe })).toEqual(['issuerUrl'])
    expect(await wrong({ ...named, issuerUrl: 'spiffe://example.org', spiffe, oidc: {} })).toEqual(['oidc'])
    expect(await wrong({ issuerUrl: 'https://example.org', spiffe })).toEqual(['wellKnownProvider', 'issuerUrl'])
    expect(await wrong({ wellKnownProvider: `${wellKnown}CUSTOM`, issuerUrl: 'spiffe://example.org', spiffe })).toEqual(
      ['wellKnownProvider'],
    )
    expect(await wrong({ ...named, issuerUrl: 'spiffe://example.org', spiffe: { bundleEndpointUrl: 'x' } })).toEqual([
      'spiffe.bundleEndpointUrl',
    ])
  })

  test.each([
    [{ displayName: '' }, 'displayName'],
    [{ issuerUrl: '' }, 'issuerUrl'],
    [{ issuerUrl: 'example.org' }, 'issuerUrl'],
    [{ issuerUrl: 'ftp://example.org' }, 'issuerUrl'],
    [{ issuerUrl: 'https://example.org/?a=b' }, 'issuerUrl'],
    [{ issuerUrl: 'https://a:b@example.org' }, 'issuerUrl'],
    [{ issuerUrl: 'https://169.254.169.254' }, 'issuerUrl'],
    [{ issuerUrl: '', wellKnownProvider: `${wellKnown}AWS_IAM_OUTBOUND` }, 'issuerUrl'],
    [{ issuerUrl: 'https://evil.example', wellKnownProvider: `${wellKnown}GITHUB_ACTIONS` }, 'issuerUrl'],
    [
      {
        issuerUrl: 'https://token.actions.githubusercontent.com.evil.example',
        wellKnownProvider: `${wellKnown}GITHUB_ACTIONS`,
      },
      'issuerUrl',
    ],
  ] as [Json, string][])('are refused with %j', async (body, field) => {
    const usual = { displayName: 'x', issuerUrl: 'https://example.org' }
    expect(fieldsOf(await post(scene.admin, providers, { ...usual, ...body }))).toEqual([field])
  })

  test('are changed in name, description and status, and never in their issuer', async () => {
    const id = await makeProvider()
    const path = `${providers}/${id}`
    const said = { displayName: 'Said', description: 'said', disabled: true }
    expect(good(await patch(scene.admin, path, { provider: said }))['provider']).toMatchObject(said)
    const other = { provider: { issuerUrl: 'https://evil.example' }, updateMask: 'issuerUrl' }
    expect(fieldsOf(await patch(scene.admin, path, other))).toEqual(['updateMask'])
    good(await patch(scene.admin, path, { provider: { issuerUrl: 'https://evil.example', displayName: 'B' } }))
    expect(good(await call(scene.admin, path))['provider']).toMatchObject({
      issuerUrl: stage.issuer.url,
      displayName: 'B',
    })
    const bundle = { provider: { spiffe: { bundleEndpointUrl: 'https://x.example' } } }
    expect(fieldsOf(await patch(scene.admin, path, bundle))).toEqual(['provider.spiffe.bundleEndpointUrl'])
    expect(fieldsOf(await patch(scene.admin, path, { provider: { displayName: ' ' } }))).toEqual(['displayName'])
  })

  test('with trusts are not deleted, and without them they are', async () => {
    const trust = await makeTrust()
    const path = `${providers}/${trust.providerId}`
    expect(outcomeOf(await remove(scene.admin, path))).toBe('400/9 FEDERATION_PROVIDER_IN_USE')
    good(await remove(scene.admin, trustPath(trust)))
    good(await remove(scene.admin, path))
    expect(outcomeOf(await call(scene.admin, path))).toBe(noProvider)
    // Nor do trusts of a service principal that was deleted hold it.
    const other = await makeTrust()
    good(await remove(scene.admin, `${base}/${other.principalId}`))
    good(await remove(scene.admin, `${providers}/${other.providerId}`))
  })

  test('are seen by everyone, and changed by Super Administrators only', async () => {
    const id = await makeProvider()
    const [someone, reader] = [await caller(['system:user']), await caller(['system:viewer'])]
    for (const by of [someone, reader]) {
      expect(good(await call(by, `${providers}/${id}`))['provider']).toMatchObject({ id })
      expect(
        (good(await call(by, `${providers}?page_size=100`))['list'] as Json[]).map((each) => each['id']),
      ).toContain(id)
      for (const reply of [
        await post(by, providers, { displayName: 'x', issuerUrl: 'https://example.org' }),
        await patch(by, `${providers}/${id}`, { provider: { disabled: true } }),
        await remove(by, `${providers}/${id}`),
      ])
        expect(outcomeOf(reply)).toBe(denied)
    }
  })
})

describe('trusts', () => {
  test('are created, found, changed and deleted by their client id', async () => {
    const role = await scene.access.roleId('system:user')
    const terms = {
      displayName: 'Deploys',
      description: 'from main',
      conditionExpression: isMain,
      allowSourceCidrs: ['10.0.0.0/8'],
      scopedRoleIds: [role],
      passthroughClaims: ['sub'],
    }
    const trust = await makeTrust(terms)
    expect(trust.clientId).toMatch(/^[0-9a-f]{20}@localhost\/wfe$/)
    const [event] = await scene.access.world.db<{ message: string }[]>`
      select event::json ->> 'message' as message from systemlog_events
      where event::text like ${`%${trust.clientId}%`} order by event_id`
    expect(event?.message).toMatch(/^Created the federation trust "Deploys" of \S/)
    const shown = { ...terms, ...{ clientId: trust.clientId, providerId: trust.providerId }, disabled: false }
    expect(good(await call(scene.admin, trustPath(trust)))['trust']).toMatchObject({
      ...shown,
      servicePrincipalId: trust.principalId,
    })
    expect(good(await call(scene.admin, trustsOf(trust.principalId)))['list']).toMatchObject([shown])
    const search = async (body: Json) =>
      (good(await post(scene.admin, '/api/v1/search/workload_federation_trusts', body))['list'] as Json[]).length
    expect(await search({ servicePrincipalId: trust.principalId })).toBe(1)
    expect(await search({ providerId: trust.providerId, query: 'DEPL' })).toBe(1)
    expect(await search({ providerId: trust.providerId, query: 'elsewhere' })).toBe(0)
    const said = { displayName: 'Said', description: 'said', passthroughClaims: ['a', 'b'], allowSourceCidrs: [] }
    expect(
      good(await patch(scene.admin, trustPath(trust), { trust: said, updateMask: Object.keys(said).join() }))['trust'],
    ).toMatchObject({ ...shown, ...said })
    good(await remove(scene.admin, trustPath(trust)))
    expect(outcomeOf(await call(scene.admin, trustPath(trust)))).toBe(noTrust)
    // They are no credentials: the operations of credentials do not show them.
    expect(good(await call(scene.admin, `${base}/${trust.principalId}/credentials`))['list']).toEqual([])
  })

  test.each([
    [{ conditionExpression: '' }, 'conditionExpression'],
    [{ conditionExpression: 'claims.sub ==' }, 'conditionExpression'],
    [{ conditionExpression: 'claims.sub' + ' '.repeat(1020) }, 'conditionExpression'],
    [{ conditionExpression: `claims.sub == "${'ä'.repeat(510)}"` }, 'conditionExpression'],
    [{ conditionExpression: '"text"' }, 'conditionExpression'],
    [{ conditionExpression: 'subject.department == "x"' }, 'conditionExpression'],
    [{ conditionExpression: 'now() > timestamp(0)' }, 'conditionExpression'],
    [{ conditionExpression: 'c1.directory.users.v1.FindByEmail("a").id == "b"' }, 'conditionExpression'],
    [{ displayName: ' ' }, 'displayName'],
    [{ allowSourceCidrs: ['10.0.0.0/33'] }, 'allowSourceCidrs[0]'],
    [{ allowSourceCidrs: Array(33).fill('10.0.0.0/8') }, 'allowSourceCidrs'],
    [{ scopedRoleIds: ['nobody'] }, 'scopedRoleIds'],
    [{ passthroughClaims: [''] }, 'passthroughClaims[0]'],
    [{ passthroughClaims: Array.from({ length: 33 }, (_, at) => `c${at}`) }, 'passthroughClaims'],
  ] as [Json, string][])('are refused with %j', async (body, field) => {
    const trust = await makeTrust()
    const usual = { displayName: 'x', conditionExpression: isMain, providerId: trust.providerId }
    expect(fieldsOf(await post(scene.admin, trustsOf(trust.principalId), { ...usual, ...body }))).toEqual([field])
    const changed = await patch(scene.admin, trustPath(trust), { trust: body, updateMask: Object.keys(body).join() })
    expect(fieldsOf(changed)).toEqual([field])
  })

  test('need a provider and a principal that are there, and one that is enabled', async () => {
    const trust = await makeTrust()
    const body = { displayName: 'x', conditionExpression: isMain, providerId: trust.providerId }
    const at = trustsOf(trust.principalId)
    expect(outcomeOf(await post(scene.admin, at, { ...body, providerId: scene.access.world.newId() }))).toBe(noProvider)
    expect(outcomeOf(await post(scene.admin, at, { ...body, providerId: '' }))).toBe(noProvider)
    expect(outcomeOf(await post(scene.admin, trustsOf(scene.admin.userId), body))).toBe(noPrincipal)
    good(await post(scene.admin, `/api/v1/users/${trust.principalId}/disable`))
    expect(outcomeOf(await post(scene.admin, at, body))).toBe('400/9 SERVICE_PRINCIPAL_DISABLED')
  })

  test('are looked after by owners of the principal, and not known to others', async () => {
    const owner = await caller(['system:user'])
    const stranger = await caller(['system:user'])
    const trust = await makeTrust()
    good(await own(trust.principalId, owner.userId))
    const body = { displayName: 'Mine', conditionExpression: isMain, providerId: trust.providerId }
    const made = good(await post(owner, trustsOf(trust.principalId), body))['trust'] as { clientId: string }
    const mine = { ...trust, clientId: made.clientId }
    expect((await exchange(mine, stage.issuer.token())).status).toBe(200)
    good(await patch(owner, trustPath(mine), { trust: { disabled: true } }))
    good(await call(owner, trustPath(mine, '/attempts')))
    good(await post(owner, trustPath(mine, '/plan'), { conditionExpression: isMain }))
    good(await post(owner, trustPath(mine, '/test'), { subjectToken: 'x' }))
    const found = async (by: { token: string }) =>
      (good(await post(by, '/api/v1/search/workload_federation_trusts', {}))['list'] as Json[]).map(
        (each) => each['clientId'],
      )
    expect(await found(owner)).toEqual([trust.clientId, mine.clientId])
    expect(await found(stranger)).toEqual([])
    const others: Promise<Reply>[] = [
      call(stranger, trustsOf(trust.principalId)),
      call(stranger, trustPath(trust)),
      post(stranger, trustsOf(trust.principalId), body),
      patch(stranger, trustPath(trust), { trust: { disabled: true } }),
      remove(stranger, trustPath(trust)),
      post(stranger, trustPath(trust, '/test'), { subjectToken: 'x' }),
      post(stranger, trustPath(trust, '/plan'), { conditionExpression: 'true' }),
      call(stranger, trustPath(trust, '/attempts')),
    ]
    for (const reply of await Promise.all(others)) expect(outcomeOf(reply)).toBe(noPrincipal)
    // A trust of another principal is not found under one's own.
    const other = await makeTrust()
    expect(outcomeOf(await call(owner, trustPath({ ...other, principalId: trust.principalId })))).toBe(noTrust)
    expect(outcomeOf(await remove(owner, trustPath({ ...other, principalId: trust.principalId })))).toBe(noTrust)
    good(await remove(owner, trustPath(mine)))
  })

  test('are created and widened by nobody who may do less than they permit', async () => {
    const lesser = await withPermissions('principal-keeper', ['principals.read', 'principals.write'])
    const trust = await makeTrust({}, ['system:owner'])
    const body = { displayName: 'x', conditionExpression: isMain, providerId: trust.providerId }
    expect(outcomeOf(await post(lesser, trustsOf(trust.principalId), body))).toBe(denied)
    expect(outcomeOf(await patch(lesser, trustPath(trust), { trust: { conditionExpression: 'true' } }))).toBe(denied)
    expect(outcomeOf(await patch(lesser, trustPath(trust), { trust: { allowSourceCidrs: ['10.0.0.0/8'] } }))).toBe(
      denied,
    )
    // What only takes away is theirs to do.
    good(await patch(lesser, trustPath(trust), { trust: { disabled: true } }))
    // Nor by the keys that it trusts.
    const spiffeProvider = await makeProvider({ issuerUrl: 'spiffe://example.org', spiffe })
    await makeTrust({ principalId: trust.principalId, providerId: spiffeProvider })
    const other = { provider: { spiffe: { bundleEndpointUrl: 'https://evil.example/bundle' } } }
    expect(outcomeOf(await patch(lesser, `${providers}/${spiffeProvider}`, other))).toBe(denied)
    good(await patch(lesser, `${providers}/${spiffeProvider}`, { provider: { disabled: true } }))
    expect(outcomeOf(await patch(lesser, `${providers}/${spiffeProvider}`, { provider: { disabled: false } }))).toBe(
      denied,
    )
    good(
      await patch(scene.admin, `${providers}/${spiffeProvider}`, {
        ...other,
        updateMask: 'spiffe.bundle_endpoint_url',
      }),
    )
    expect(outcomeOf(await patch(lesser, trustPath(trust), { trust: { disabled: false } }))).toBe(denied)
  })

  test('that a limited or expiring credential creates are no freer than it, and end with it', async () => {
    const owner = await caller(['system:user'])
    const id = await principal('system:viewer')
    good(await own(id, owner.userId))
    const providerId = await makeProvider()
    const body = { displayName: 'x', conditionExpression: isMain, providerId }
    const limited = await another(owner, { cidrs: ['127.0.0.0/8'] })
    const from = { from: '127.0.0.1' }
    const asked = (more: Json) => call(limited, trustsOf(id), { body: { ...body, ...more }, ...from })
    expect(fieldsOf(await asked({}))).toEqual(['allowSourceCidrs'])
    const made = good(await asked({ allowSourceCidrs: ['127.0.0.0/16'] }))['trust'] as { clientId: string }
    const trust = { principalId: id, providerId, clientId: made.clientId }
    const widened = { trust: { allowSourceCidrs: [] }, updateMask: 'allowSourceCidrs' }
    expect(fieldsOf(await call(limited, trustPath(trust), { method: 'PATCH', body: widened, ...from }))).toEqual([
      'allowSourceCidrs',
    ])
    // Also by an unlimited one it stays within what it was created by.
    expect(fieldsOf(await patch(owner, trustPath(trust), widened))).toEqual(['allowSourceCidrs'])
    // One that it has not created it does not see.
    const free = good(await post(owner, trustsOf(id), body))['trust'] as { clientId: string }
    const unseen = { ...trust, clientId: free.clientId }
    expect(outcomeOf(await call(limited, trustPath(unseen), from))).toBe(noTrust)
    expect((good(await call(limited, trustsOf(id), from))['list'] as Json[]).length).toBe(1)
    // Whose condition an expiring credential cannot change, as the change would outlive it.
    const expiring = await another(owner, { lifespanSeconds: 30 * 86_400 })
    const other = { trust: { conditionExpression: 'claims.sub == "mine"' } }
    expect(fieldsOf(await patch(expiring, trustPath(unseen), other))).toEqual(['conditionExpression'])
    good(await patch(expiring, trustPath(unseen), { trust: { disabled: true } }))
    expect(fieldsOf(await patch(expiring, trustPath(unseen), { trust: { disabled: false } }))).toEqual([
      'conditionExpression',
    ])
    expect((await exchange(trust, stage.issuer.token(), from)).status).toBe(200)
    good(await remove(owner, `/api/v1/iam/personal_clients/${limited.id}`))
    expect((await exchange(trust, stage.issuer.token(), from)).json).toEqual(refused)
  })

  test('take what was created with their tokens along when they are disabled', async () => {
    const trust = await makeTrust({}, ['system:owner'])
    const by = await tokenBy(trust)
    const robot = await acting(await principal('system:viewer'), by)
    expect((await call(robot, '/api/v1/users')).status).toBe(200)
    good(await patch(scene.admin, `${providers}/${trust.providerId}`, { provider: { disabled: true } }))
    expect((await call(robot, '/api/v1/users')).status).toBe(401)
    good(await patch(scene.admin, `${providers}/${trust.providerId}`, { provider: { disabled: false } }))
    // Refusing is at once; that it is honoured again within a second.
    expect(await eventually(async () => (await call(robot, '/api/v1/users')).status === 200)).toBe(true)
    good(await remove(scene.admin, trustPath(trust)))
    expect((await call(robot, '/api/v1/users')).status).toBe(401)
  })

  test('and providers that another hand has changed in the database do not count, and that is reported', async () => {
    const { db } = scene.server
    for (const forge of [
      (id: string) => db`update federation_trusts set condition = 'true' where credential_id = ${id}`,
      (id: string) => db`update federation_providers p set issuer_url = 'http://127.0.0.1:1' from federation_trusts t
        where t.credential_id = ${id} and p.tenant_id = t.tenant_id and p.provider_id = t.provider_id`,
      (id: string) =>
        db`update federation_trusts set principal_id = ${scene.access.world.newId()} where credential_id = ${id}`,
    ]) {
      const trust = await makeTrust()
      const by = await tokenBy(trust)
      const [row] = await db<{ id: string }[]>`
        select credential_id as id from credentials where client_id = ${trust.clientId}`
      await forge(row?.id ?? '')
      await new Promise((done) => setTimeout(done, 600))
      expect((await call(by, '/api/v1/users')).status).toBe(401)
      expect((await exchange(trust, stage.issuer.token({ repository_id: '1' }))).json).toEqual(refused)
    }
    const forged = await db<{ count: number }[]>`
      select count(*) from systemlog_events where event like '%ROW_FORGED%' and event like '%"federation %'`
    expect(forged[0]?.count).toBe(2)
  })
})
