import { createHmac, createPublicKey, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { authIntrospect, Bailiwick, byExchange } from '#client/index.ts'
import { encodePart, getToken, type Json, newAddress, outcomeOf } from '../fixture/access.ts'
import { call, good, patch, post, remove, scene } from '../principals/scene.ts'
import { type Key, makeKey, signBy } from './issuer.ts'
import {
  exchange,
  lastAttempt,
  loggedReason,
  makeProvider,
  makeTrust,
  prepareFederation,
  providers,
  refused,
  stage,
  type TrustMade,
  tokenBy,
  trustPath,
} from './scene.ts'

prepareFederation()
beforeAll(() => stage.issuer.keys.push(makeKey('PS256'), makeKey('ES256'), makeKey('EdDSA')))

const claimsIn = (token: string): Json =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Json
const seconds = (): number => Math.floor(Date.now() / 1000)
const usersOf = (by: { token: string }) => call(by, '/api/v1/users')

let known: Pick<TrustMade, 'principalId' | 'providerId'> | undefined
/** Another trust of the same service principal in the same provider. */
async function trustAgain(): Promise<TrustMade> {
  const trust = await makeTrust(known && { principalId: known.principalId, providerId: known.providerId })
  known ??= trust
  return trust
}

describe('a token of a trusted issuer', () => {
  test('becomes an access token of the service principal, with its roles, that lasts half an hour', async () => {
    const trust = await makeTrust({ passthroughClaims: ['sub', 'repository_id', 'run', 'missing'] })
    const reply = await exchange(trust, stage.issuer.token({ run: 12 }))
    expect(reply.status, reply.text).toBe(200)
    const { access_token: token, ...others } = reply.json as { access_token: string }
    expect(others).toEqual({
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
      expires_in: 1800,
    })
    expect(reply.headers['cache-control']).toBe('no-store')
    // Texts only, as published.
    expect(claimsIn(token)).toMatchObject({
      sub: trust.principalId,
      client_id: trust.clientId,
      c1wfc: { sub: 'repo:larkfield/deploy:ref:refs/heads/main', repository_id: '4711' },
    })
    expect(Object.keys(claimsIn(token)['c1wfc'] as object)).toEqual(['sub', 'repository_id'])
    expect(outcomeOf(await usersOf({ token }))).toBe('200')
    expect(good(await call({ token }, '/api/v1/auth/introspect'))).toMatchObject({
      userId: trust.principalId,
      principleId: trust.clientId,
    })
  })

  test('is exchanged again, also many at once: nothing of it is used up', async () => {
    const trust = await makeTrust()
    const token = stage.issuer.token()
    const replies = await Promise.all(Array.from({ length: 8 }, () => exchange(trust, token)))
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(new Set(replies.map(({ json }) => json['access_token'])).size).toBe(8)
    // They are told as one.
    expect(await lastAttempt(trust)).toMatchObject({ outcome: 'ADMITTED', times: 8, reason: '' })
  })

  test('gives no more than both the roles of the service principal and those of the trust', async () => {
    const basic = await scene.access.roleId('system:user')
    const trust = await makeTrust({ scopedRoleIds: [basic] })
    const scoped = await tokenBy(trust)
    expect(outcomeOf(await usersOf(scoped))).toBe('403/7 PERMISSION_DENIED')
    good(await patch(scene.admin, trustPath(trust), { trust: { scopedRoleIds: [] }, updateMask: 'scopedRoleIds' }))
    // The token that is out already is held to it too.
    expect(outcomeOf(await usersOf(scoped))).toBe('200')
    good(await remove(scene.admin, `/api/v1/users/${trust.principalId}/roles/system:viewer`))
    expect(outcomeOf(await usersOf(scoped))).toBe('403/7 PERMISSION_DENIED')
  })

  test.each(['PS256', 'ES256', 'EdDSA'] as const)('may be signed by %s', async (alg) => {
    const key = stage.issuer.keys.find((each) => each.alg === alg) as Key
    const reply = await exchange(await makeTrust(), signBy(key, stage.issuer.claims()))
    expect(reply.status, reply.text).toBe(200)
  })

  test('is known by its issuer, with or without a slash at the end, and for one of several audiences', async () => {
    const providerId = await makeProvider({ issuerUrl: `${stage.issuer.url}/` })
    const trust = await makeTrust({ providerId })
    await tokenBy(trust)
    await tokenBy(trust, stage.issuer.token({ iss: `${stage.issuer.url}/`, aud: ['elsewhere', 'localhost'] }))
  })

  test('is recorded in the system log with its owner', async () => {
    const trust = await makeTrust()
    await tokenBy(trust)
    const [row] = await scene.server.db<{ event: string }[]>`
      select event from systemlog_events where event like ${`%Issued an access token to ${trust.clientId}%`}`
    expect(JSON.parse(row?.event ?? '{}')).toMatchObject({
      logon_type: 'token_exchange',
      user: { uid: trust.principalId },
      unmapped: {
        subject_token: { issuer: stage.issuer.url, subject: 'repo:larkfield/deploy:ref:refs/heads/main' },
      },
    })
  })
})

describe('its access tokens end at once when', () => {
  const ended = { status: 401 }
  test.each([
    [
      'the trust is disabled',
      (at) => patch(scene.admin, trustPath(at), { trust: { disabled: true } }),
      'trust_disabled',
    ],
    [
      'the provider is disabled',
      (at) => patch(scene.admin, `${providers}/${at.providerId}`, { provider: { disabled: true } }),
      'provider_disabled',
    ],
    [
      'the service principal is disabled',
      (at) => post(scene.admin, `/api/v1/users/${at.principalId}/disable`),
      'sp_disabled',
    ],
    ['the trust is deleted', (at) => remove(scene.admin, trustPath(at)), 'trust_not_found'],
    [
      'the service principal is deleted',
      (at) => remove(scene.admin, `/api/v1/service_principals/${at.principalId}`),
      'trust_not_found',
    ],
  ] as [string, (at: Awaited<ReturnType<typeof makeTrust>>) => ReturnType<typeof call>, string][])(
    '%s, and no further ones are issued',
    async (_, end, reason) => {
      const trust = await makeTrust()
      const by = await tokenBy(trust)
      good(await end(trust))
      expect(await usersOf(by)).toMatchObject(ended)
      const again = await exchange(trust, stage.issuer.token())
      expect([again.status, again.json]).toEqual([400, refused])
      expect(await loggedReason(reason === 'trust_not_found' ? 'unknown' : trust.clientId)).toMatch(`${reason}: `)
    },
  )

  test('and begin again when it is enabled', async () => {
    const trust = await makeTrust()
    const by = await tokenBy(trust)
    const set = (disabled: boolean) => patch(scene.admin, trustPath(trust), { trust: { disabled } })
    good(await set(true))
    expect(await usersOf(by)).toMatchObject(ended)
    good(await set(false))
    expect(outcomeOf(await usersOf(by))).toBe('200')
  })
})

describe('callers get one error, and the system log and the trust have the reason:', () => {
  const cases: [string, () => string, string, string][] = [
    ['expired', () => stage.issuer.token({ exp: seconds() - 1 }), 'token_expired', 'tokenFreshness'],
    ['not yet valid', () => stage.issuer.token({ nbf: seconds() + 120 }), 'token_not_yet_valid', 'tokenFreshness'],
    [
      'issued in the future',
      () => stage.issuer.token({ iat: seconds() + 120 }),
      'token_not_yet_valid',
      'tokenFreshness',
    ],
    ['too old', () => stage.issuer.token({ iat: seconds() - 601 }), 'token_too_old', 'tokenFreshness'],
    ['without iat', () => stage.issuer.token({ iat: undefined }), 'invalid_jwt_format', 'tokenFreshness'],
    ['without exp', () => stage.issuer.token({ exp: undefined }), 'invalid_jwt_format', 'tokenFreshness'],
    ['with exp as text', () => stage.issuer.token({ exp: '9999999999' }), 'invalid_jwt_format', 'tokenFreshness'],
    ['for another audience', () => stage.issuer.token({ aud: 'elsewhere' }), 'audience_mismatch', 'audienceValidation'],
    [
      'for an audience that begins alike',
      () => stage.issuer.token({ aud: 'localhost.evil' }),
      'audience_mismatch',
      'audienceValidation',
    ],
    ['without an audience', () => stage.issuer.token({ aud: undefined }), 'audience_mismatch', 'audienceValidation'],
    ['of another issuer', () => stage.issuer.token({ iss: 'https://evil.example' }), 'issuer_mismatch', 'issuerMatch'],
    [
      'of an issuer beneath',
      () => stage.issuer.token({ iss: `${stage.issuer.url}/x` }),
      'issuer_mismatch',
      'issuerMatch',
    ],
    ['without a subject', () => stage.issuer.token({ sub: undefined }), 'subject_invalid', 'subjectValidation'],
    [
      'whose condition is false',
      () => stage.issuer.token({ repository_id: '1' }),
      'cel_condition_not_met',
      'celEvaluation',
    ],
    [
      'whose condition fails',
      () => stage.issuer.token({ repository_id: undefined }),
      'cel_condition_not_met',
      'celEvaluation',
    ],
    ['that is none', () => 'hello', 'invalid_jwt_format', 'jwtDecode'],
    ['of 20 kB', () => stage.issuer.token({ pad: 'x'.repeat(15_000) }), 'invalid_jwt_format', 'jwtDecode'],
  ]
  test.each(cases)('a token %s', async (_, make, reason, failedStep) => {
    const trust = await trustAgain()
    const reply = await exchange(trust, make())
    expect([reply.status, reply.json]).toEqual([400, refused])
    expect(await lastAttempt(trust)).toMatchObject({ outcome: 'REFUSED', reason, failedStep, times: 1 })
    expect(await loggedReason(trust.clientId)).toMatch(new RegExp(`^${reason}: `))
  })

  test('a token from an address that is not allowed', async () => {
    const trust = await makeTrust({ allowSourceCidrs: ['192.0.2.0/24'] })
    expect((await exchange(trust, stage.issuer.token(), { from: newAddress() })).json).toEqual(refused)
    expect(await lastAttempt(trust)).toMatchObject({ reason: 'ip_not_allowed', failedStep: 'cidrCheck' })
    const reply = await exchange(trust, stage.issuer.token(), { from: '192.0.2.7' })
    expect(reply.status, reply.text).toBe(200)
    const token = reply.json['access_token'] as string
    // The address counts for each request, too.
    expect(outcomeOf(await call({ token }, '/api/v1/users', { from: newAddress() }))).toBe(
      '403/7 SOURCE_ADDRESS_DENIED',
    )
    expect(outcomeOf(await call({ token }, '/api/v1/users', { from: '192.0.2.8' }))).toBe('200')
  })

  test('a client that is unknown, of another kind, or nothing like one', async () => {
    for (const clientId of ['nobody@localhost/wfe', scene.admin.clientId, 'x', '%00'])
      expect((await exchange({ clientId }, stage.issuer.token())).json).toEqual(refused)
  })

  test('a client of a trust cannot prove itself by a secret', async () => {
    const { clientId } = await makeTrust()
    const reply = await exchange({ clientId }, '', {
      form: { grant_type: 'client_credentials', client_secret: 'x' },
    })
    expect([reply.status, reply.json['error']]).toEqual([401, 'invalid_client'])
  })

  test.each([
    [{ subject_token: '' }, 'subject_token is missing.'],
    [{ client_id: '' }, 'client_id is missing.'],
    [{ subject_token_type: 'urn:ietf:params:oauth:token-type:saml2' }, /^subject_token_type must be/],
    [{ requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' }, /^requested_token_type must be/],
    [{ actor_token: 'x' }, 'actor_token is not supported.'],
    [{ client_secret: 'x' }, /^A token exchange has no client secret/],
  ] as [Record<string, string>, string | RegExp][])('a request with %j is malformed', async (form, told) => {
    const reply = await exchange({ clientId: 'x@localhost/wfe' }, 'x', { form })
    expect([reply.status, reply.json['error']]).toEqual([400, 'invalid_request'])
    expect(reply.json['error_description']).toMatch(told)
  })
})

describe('a token is not believed for what it says of itself:', () => {
  const own = (): Key => stage.issuer.keys[0] as Key
  const foreign = makeKey()
  const unsigned = (alg: string) => `${encodePart({ alg, kid: own().kid })}.${encodePart(stage.issuer.claims())}.`
  const byPublicKey = (): string => {
    const [key] = stage.issuer.keys as [Key]
    const pem = createPublicKey({ key: key.jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    const signed = `${encodePart({ alg: 'HS256', kid: key.kid })}.${encodePart(stage.issuer.claims())}`
    return `${signed}.${createHmac('sha256', pem).update(signed).digest('base64url')}`
  }
  const cases: [string, () => string, string][] = [
    ['alg none', () => unsigned('none'), 'invalid_jwt_format'],
    ['alg None', () => unsigned('None'), 'invalid_jwt_format'],
    ['an empty signature', () => unsigned('RS256'), 'invalid_jwt_format'],
    ['HS256 by the public key', byPublicKey, 'invalid_jwt_format'],
    [
      'a key of its own in jwk',
      () => signBy({ ...foreign, kid: own().kid }, stage.issuer.claims(), { jwk: foreign.jwk }),
      'signature_invalid',
    ],
    [
      'an address of keys in jku',
      () => signBy(foreign, stage.issuer.claims(), { jku: 'http://127.0.0.1:1/k' }),
      'key_not_found',
    ],
    [
      'certificates in x5u and x5c',
      () =>
        signBy({ ...foreign, kid: own().kid }, stage.issuer.claims(), { x5u: 'http://127.0.0.1:1/', x5c: ['MA=='] }),
      'signature_invalid',
    ],
    ['crit', () => signBy(own(), stage.issuer.claims(), { crit: ['b64'], b64: false }), 'invalid_jwt_format'],
    ['an empty crit', () => signBy(own(), stage.issuer.claims(), { crit: [] }), 'invalid_jwt_format'],
    [
      'the key of another issuer by the same kid',
      () => signBy({ ...foreign, kid: own().kid }, stage.issuer.claims()),
      'signature_invalid',
    ],
    [
      'another algorithm than the key has',
      () => signBy({ ...own(), alg: 'PS256' }, stage.issuer.claims()),
      'key_not_found',
    ],
    [
      'a payload changed after it was signed',
      () => {
        const [header, , signature] = stage.issuer.token().split('.')
        return `${header}.${encodePart(stage.issuer.claims({ sub: 'x' }))}.${signature}`
      },
      'signature_invalid',
    ],
    [
      'bits to spare in the signature',
      () => {
        const token = stage.issuer.token()
        const spare = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
        const last = token.at(-1) as string
        return `${token.slice(0, -1)}${spare[spare.indexOf(last) ^ 1]}`
      },
      'invalid_jwt_format',
    ],
    ['five parts', () => `${stage.issuer.token()}.a.b`, 'invalid_jwt_format'],
    ['a payload that is a list', () => signBy(own(), [1]), 'invalid_jwt_format'],
  ]
  test.each(cases)('%s', async (_, make, reason) => {
    const trust = await trustAgain()
    const reply = await exchange(trust, make())
    expect([reply.status, reply.json]).toEqual([400, refused])
    const attempt = await lastAttempt(trust)
    expect(attempt).toMatchObject({ outcome: 'REFUSED', reason })
    // What the issuer has not signed is not kept.
    expect(attempt['claims']).toBeNull()
  })
})

test('the client for TypeScript signs in by it, with a new subject token each time', async () => {
  const trust = await makeTrust()
  let asked = 0
  const subjectToken = () => {
    asked += 1
    return stage.issuer.token()
  }
  const signIn = byExchange({ clientId: trust.clientId, subjectToken })
  const bailiwick = new Bailiwick({ url: scene.server.url, signIn })
  const { userId } = await bailiwick.call(authIntrospect, {})
  await bailiwick.call(authIntrospect, {})
  expect([userId, asked]).toEqual([trust.principalId, 1])
  signIn.renew()
  await bailiwick.call(authIntrospect, {})
  expect(asked).toBe(2)
  const refusing = new Bailiwick({
    url: scene.server.url,
    signIn: byExchange({ clientId: trust.clientId, subjectToken: 'x' }),
  })
  await expect(refusing.call(authIntrospect, {})).rejects.toThrow(/not accepted/)
})

describe('tenants', () => {
  test('with the same issuer do not accept what is for the other', async () => {
    const trust = await makeTrust()
    const host = `t${randomUUID().slice(0, 8)}.example.com`
    const tenant = await scene.access.makeTenant(host)
    const key = await scene.access.makeCaller(['system:owner'], {}, tenant)
    const token = await getToken(scene.server, key)
    const ask = (path: string, body: Json) => call({ token }, path, { host, body })
    const provider = good(await ask(providers, { displayName: 'CI', issuerUrl: stage.issuer.url }))['provider'] as Json
    const robot = good(await ask('/api/v1/service_principals', { displayName: 'Robot' }))['servicePrincipal'] as Json
    const made = good(
      await ask(`/api/v1/service_principals/${String(robot['id'])}/trusts`, {
        displayName: 'Theirs',
        conditionExpression: 'claims.repository_id == "4711"',
        providerId: provider['id'],
      }),
    )['trust'] as { clientId: string }
    expect(made.clientId).toMatch(new RegExp(`@${host}/wfe$`))
    const theirs = stage.issuer.token({ aud: host })
    expect((await exchange(made, theirs, { host })).status).toBe(200)
    expect((await exchange(made, stage.issuer.token(), { host })).json).toEqual(refused)
    expect((await exchange(trust, theirs)).json).toEqual(refused)
    // Nor is a trust known at the other's address, nor its provider.
    expect((await exchange(trust, theirs, { host })).json).toEqual(refused)
    const other = { displayName: 'x', conditionExpression: 'true', providerId: provider['id'] }
    expect(outcomeOf(await post(scene.admin, `/api/v1/service_principals/${trust.principalId}/trusts`, other))).toBe(
      '404/5 FEDERATION_PROVIDER_NOT_FOUND',
    )
  })
})

test('an exchange may ask for fewer roles, and gets no more than the service principal has', async () => {
  const trust = await makeTrust({}, ['system:owner'])
  const rows = await scene.server.db<{ id: string; name: string }[]>`
    select role_id as id, name from roles where tenant_id = ${scene.access.tenant.id}`
  const roleOf = (name: string): string => rows.find((row) => row.name === name)?.id ?? ''
  const asked = (scope: string, of = trust) => exchange(of, stage.issuer.token(), { form: { scope } })
  const reply = await asked(roleOf('system:viewer'))
  expect([reply.status, reply.json['scope']]).toEqual([200, roleOf('system:viewer')])
  const by = { token: reply.json['access_token'] as string }
  expect(outcomeOf(await usersOf(by))).toBe('200')
  expect(outcomeOf(await post(by, '/api/v1/apps', { displayName: 'An app' }))).toBe('403/7 PERMISSION_DENIED')
  // A token of ours is no subject token: the narrow one becomes no wider one.
  expect((await exchange(trust, by.token)).json).toEqual(refused)
  const viewer = await makeTrust()
  expect((await asked(roleOf('system:owner'), viewer)).json['error']).toBe('invalid_scope')
  expect((await asked('nonsense')).json['error']).toBe('invalid_scope')
  const elsewhere = await exchange(trust, stage.issuer.token(), { form: { audience: 'https://elsewhere.example' } })
  expect(elsewhere.json['error']).toBe('invalid_target')
})
