import { describe, expect, test } from 'vitest'
import type { Json } from '../fixture/access.ts'
import { fieldsOf } from '../fixture/access.ts'
import { call, good, patch, post, scene } from '../principals/scene.ts'
import { makeKey, signBy } from './issuer.ts'
import { exchange, isMain, makeProvider, makeTrust, prepareFederation, stage, tokenBy, trustPath } from './scene.ts'

prepareFederation()

type Step = { stepName: string; passed: boolean; skipped: boolean; expected: string; actual: string; detail: string }
const names = [
  ...['jwtDecode', 'issuerMatch', 'signatureValidation', 'audienceValidation', 'tokenFreshness'],
  ...['subjectValidation', 'celEvaluation', 'cidrCheck'],
]

describe('a test of a token', () => {
  const tested = async (trust: Parameters<typeof trustPath>[0], subjectToken: string, sourceIp = '') => {
    const reply = good(await post(scene.admin, trustPath(trust, '/test'), { subjectToken, sourceIp }))
    const steps = names.map((name) => reply[name] as Step)
    expect(steps.map(({ stepName }) => stepName)).toEqual(names)
    const of = (is: (step: Step) => boolean) => steps.filter(is).map(({ stepName }) => stepName)
    return {
      reply,
      isAccepted: reply['overallResult'],
      failed: of(({ passed, skipped }) => !passed && !skipped),
      skipped: of((step) => step.skipped),
    }
  }

  test('says of each step what was expected and found', async () => {
    const trust = await makeTrust({ allowSourceCidrs: ['192.0.2.0/24'] })
    const right = await tested(trust, stage.issuer.token(), '192.0.2.1')
    expect(right).toMatchObject({ isAccepted: true, failed: [], skipped: [] })
    expect(JSON.parse(right.reply['decodedClaimsJson'] as string)).toMatchObject({ repository_id: '4711' })
    expect(right.reply['audienceValidation']).toMatchObject({ expected: 'localhost', actual: 'localhost' })
    // All that is wrong at once.
    const wrong = await tested(
      trust,
      stage.issuer.token({ aud: 'x', repository_id: '1', iat: 1, sub: undefined }),
      '198.51.100.1',
    )
    expect(wrong.isAccepted).toBe(false)
    expect(wrong.failed).toEqual([
      ...['audienceValidation', 'tokenFreshness', 'subjectValidation', 'celEvaluation', 'cidrCheck'],
    ])
    expect((wrong.reply['celEvaluation'] as Step).expected).toBe(isMain)
    expect((wrong.reply['cidrCheck'] as Step).detail).toMatch(/may not be used from this address/)
  })

  test('skips what has no meaning, and never says that such a token is accepted', async () => {
    const trust = await makeTrust()
    expect(await tested(trust, 'nonsense')).toMatchObject({
      isAccepted: false,
      failed: ['jwtDecode'],
      skipped: names.slice(1),
    })
    const other = await tested(trust, stage.issuer.token({ iss: 'https://x.example' }))
    expect(other).toMatchObject({
      isAccepted: false,
      failed: ['issuerMatch'],
      skipped: ['signatureValidation', 'cidrCheck'],
    })
    const forged = await tested(trust, signBy(makeKey(), stage.issuer.claims()))
    expect(forged).toMatchObject({ isAccepted: false, failed: ['signatureValidation'] })
    good(await patch(scene.admin, trustPath(trust), { trust: { disabled: true } }))
    expect(await tested(trust, stage.issuer.token())).toMatchObject({
      isAccepted: false,
      failed: ['subjectValidation'],
    })
    expect(fieldsOf(await post(scene.admin, trustPath(trust, '/test'), { sourceIp: 'here' }))).toEqual(['sourceIp'])
  })

  test('keeps nothing, and agrees with what an exchange does', async () => {
    const trust = await makeTrust()
    for (const token of [stage.issuer.token(), stage.issuer.token({ repository_id: '2' })]) {
      const { isAccepted } = await tested(trust, token)
      expect((good(await call(scene.admin, trustPath(trust, '/attempts')))['list'] as Json[]).length).toBe(
        token === undefined ? 1 : (await attempts(trust)).length,
      )
      expect((await exchange(trust, token)).status === 200).toBe(isAccepted)
    }
    expect((await attempts(trust)).map((each) => each['times'])).toEqual([1, 1])
  })
})

const attempts = async (trust: Parameters<typeof trustPath>[0], query = ''): Promise<Json[]> =>
  good(await call(scene.admin, trustPath(trust, `/attempts${query}`)))['list'] as Json[]

describe('test-cel', () => {
  const cases: [string, Json, boolean | RegExp][] = [
    ['claims.sub == "a"', { sub: 'a' }, true],
    ['claims.sub == "a"', { sub: 'b' }, false],
    [
      'claims["https://sts.amazonaws.com/"].aws_account == "1"',
      { 'https://sts.amazonaws.com/': { aws_account: '1' } },
      true,
    ],
    ['has(claims.environment) && claims.environment == "prod"', {}, false],
    ['claims.groups.exists(g, g.startsWith("a"))', { groups: ['x', 'ab'] }, true],
    ['"a" in claims.aud', { aud: ['a'] }, true],
    ['claims.ref.matches("^refs/heads/(main|release/.*)$")', { ref: 'refs/heads/release/1' }, true],
    ['url(claims.iss).host == "gitlab.com"', { iss: 'https://gitlab.com/' }, true],
    ['url(claims.iss).getHost() == "gitlab.com:8443"', { iss: 'https://gitlab.com:8443/' }, true],
    ['url(claims.iss).hostname == "gitlab.com"', { iss: 'https://gitlab.com:8443/' }, true],
    ['url(claims.iss).host == "gitlab.com"', { iss: 'https://evil\\@gitlab.com' }, /is not a URL/],
    ['url(claims.iss).host == "gitlab.com"', { iss: 'no address' }, /is not a URL/],
    ['claims.sub == "a"', {}, /sub/],
    ['claims.sub', {}, /field not found: sub/],
    ['claims.sub ==', {}, /line 1, column/],
    ['subject.id == "a"', {}, /can use claims/],
  ]
  test.each(cases)('%s of %j', async (expression, claims, expected) => {
    const asked = { expression, claimsJson: JSON.stringify(claims) }
    const reply = good(await post(scene.admin, '/api/v1/workload_federation/test-cel', asked))
    expect(reply['expression']).toBe(expression)
    const { matched, error } = reply as { matched: boolean; error: string }
    const told = error === '' ? String(matched) : error
    expect(told).toMatch(expected instanceof RegExp ? expected : new RegExp(`^${expected}$`))
  })

  test('says what is wrong with claims, and takes no more work than it may', async () => {
    const at = '/api/v1/workload_federation/test-cel'
    for (const claimsJson of ['', '[]', '{', 'null'])
      expect(good(await post(scene.admin, at, { expression: 'true', claimsJson }))['error']).toMatch(
        /not a JSON object/,
      )
    const slow = {
      expression: 'claims.a.all(x, claims.a.all(y, claims.a != [x, y]))',
      claimsJson: JSON.stringify({ a: Array(1000).fill(1) }),
    }
    expect(good(await post(scene.admin, at, slow))['error']).toMatch(/too much work/)
  })
})

describe('warnings', () => {
  const github = () => makeProvider({ issuerUrl: '', wellKnownProvider: 'WELL_KNOWN_WORKLOAD_PROVIDER_GITHUB_ACTIONS' })
  const warned = async (providerId: string, conditionExpression: string): Promise<unknown[]> =>
    (
      good(await post(scene.admin, '/api/v1/workload_federation/check-condition', { providerId, conditionExpression }))[
        'warnings'
      ] as Json[]
    ).map(({ code }) => code)

  test('say that a condition pins no subject, or only a name that others can register', async () => {
    const id = await github()
    const all = ['SUBJECT_NOT_PINNED']
    const name = ['NAME_CAN_BE_TAKEN']
    for (const [condition, codes] of [
      ['true', all],
      ['"localhost" in claims.aud', all],
      ['claims.aud == "localhost" && claims.ref == "refs/heads/main"', all],
      ['claims.actor == "alice"', all],
      ['claims.sub != "x"', all],
      ['!(claims.repository_id == "1")', all],
      ['claims.sub.contains("larkfield")', all],
      ['claims.sub.matches("larkfield/deploy")', all],
      ['claims.repository_id == "1" || claims.ref == "refs/heads/main"', all],
      ['has(claims.sub)', all],
      ['claims.sub == "repo:larkfield/deploy:environment:prod"', name],
      ['claims.repository == "larkfield/deploy"', name],
      ['claims.repository in ["larkfield/a", "larkfield/b"]', name],
      ['claims.sub.matches("^repo:larkfield/deploy:.*$")', ['PREFIX_IS_OPEN', ...name].slice(1)],
      ['claims.repository_owner == "larkfield" && claims.ref == "refs/heads/main"', name],
      ['claims.repository.startsWith("larkfield")', ['PREFIX_IS_OPEN', ...name]],
      ['claims.repository.startsWith("larkfield/")', name],
      ['claims.repository_id == "4711"', []],
      ['claims.repository_id == "4711" && claims.sub.endsWith(":ref:refs/heads/main")', []],
      ['claims.repository_owner_id == "1" && claims.repository.startsWith("lark")', []],
      ['claims.repository_id == "1" || claims.repository_id == "2"', []],
      ['claims.ref == "a" ? claims.repository_id == "1" : claims.repository_id == "2"', []],
      ['false', []],
    ] as const)
      expect(await warned(id, condition), condition).toEqual(codes)
  })

  test('of an issuer that is not known count every claim but the common ones', async () => {
    const id = await makeProvider()
    expect(await warned(id, 'claims.aud == "x" && claims.iss == "y"')).toEqual(['SUBJECT_NOT_PINNED'])
    expect(await warned(id, 'claims.sub == "a"')).toEqual([])
    expect(await warned(id, 'claims.groups.exists(g, g == "a")')).toEqual([])
    expect(await warned(id, 'claims.groups.all(g, g == "a")')).toEqual(['SUBJECT_NOT_PINNED'])
    expect(await warned(id, 'url(claims.job).host == "ci.example.com"')).toEqual(['PREFIX_IS_OPEN'])
  })
})

describe('a plan', () => {
  const plan = async (trust: Parameters<typeof trustPath>[0], conditionExpression: string, more: Json = {}) =>
    good(await post(scene.admin, trustPath(trust, '/plan'), { conditionExpression, ...more }))

  test('replays a condition over the tokens of the last days: who would be refused, and who admitted', async () => {
    const trust = await makeTrust({ conditionExpression: 'claims.repository_id in ["1", "2"]' })
    const token = (claims: Json) => stage.issuer.token(claims)
    for (const repository_id of ['1', '2', '2']) await tokenBy(trust, token({ repository_id }))
    await exchange(trust, token({ repository_id: '3' }))
    // What fails another step fails it with any condition.
    await exchange(trust, token({ repository_id: '3', aud: 'elsewhere' }))
    const planned = await plan(trust, 'claims.repository_id in ["2", "3"]')
    expect(planned).toMatchObject({
      ...{ replayedCount: 3, unchangedCount: 1, refusedCount: 1, admittedCount: 1, unknownCount: 0 },
      changes: [
        { was: 'ADMITTED', becomes: 'REFUSED', attempt: { claims: { repository_id: '1' }, times: 1 } },
        {
          was: 'REFUSED',
          becomes: 'ADMITTED',
          attempt: { claims: { repository_id: '3' }, failedStep: 'celEvaluation' },
        },
      ],
    })
    expect(await plan(trust, 'claims.repository_id in ["1", "2"]')).toMatchObject({ unchangedCount: 3, changes: [] })
    expect(await plan(trust, 'claims.nothing == "x"')).toMatchObject({
      refusedCount: 2,
      changes: [{ detail: expect.stringMatching(/cannot be evaluated/) as string }, {}],
    })
    // Nothing was saved.
    expect(good(await call(scene.admin, trustPath(trust)))['trust']).toMatchObject({
      conditionExpression: 'claims.repository_id in ["1", "2"]',
    })
  })

  test('knows neither tokens nor claims about people, and says where it cannot tell', async () => {
    const trust = await makeTrust({ conditionExpression: 'claims.repository_id == "4711"' })
    const claims = { email: 'ada@example.com', name: 'Ada', user_email: 'ada@example.com', actor: 'ada' }
    const token = stage.issuer.token(claims)
    await tokenBy(trust, token)
    const [attempt] = await attempts(trust)
    expect(attempt?.['claims']).toMatchObject({ actor: 'ada', repository_id: '4711' })
    expect(attempt?.['omittedClaims']).toEqual(['email', 'exp', 'iat', 'jti', 'name', 'nbf', 'user_email'])
    const rows = await scene.server.db<{ text: string }[]>`select a::text as text from federation_attempts a`
    const all = rows.map(({ text }) => text).join()
    expect(all).not.toContain('ada@example.com')
    expect(all).not.toContain(token.split('.')[2])
    expect(await plan(trust, 'claims.email == "ada@example.com"')).toMatchObject({
      unknownCount: 1,
      changes: [{ becomes: 'UNKNOWN', detail: expect.stringMatching(/reads email, which is not stored/) as string }],
    })
  })

  test('refuses a condition that is none, and days that are not kept', async () => {
    const trust = await makeTrust()
    const at = trustPath(trust, '/plan')
    expect(fieldsOf(await post(scene.admin, at, { conditionExpression: 'x' }))).toEqual(['conditionExpression'])
    for (const days of [-1, 15])
      expect(fieldsOf(await post(scene.admin, at, { conditionExpression: 'true', days }))).toEqual(['days'])
    expect((await plan(trust, 'true'))['warnings']).toMatchObject([{ code: 'SUBJECT_NOT_PINNED' }])
  })

  test('and the list of attempts forget what is older than two weeks, and what is beyond 500', async () => {
    const trust = await makeTrust()
    await tokenBy(trust)
    await exchange(trust, stage.issuer.token({ repository_id: '9' }))
    expect((await attempts(trust)).length).toBe(2)
    expect((await attempts(trust, '?outcome=REFUSED')).map(({ outcome }) => outcome)).toEqual(['REFUSED'])
    const { db } = scene.server
    const { world } = scene.access
    await db`update federation_attempts set last_at = now() - interval '15 days' where not is_admitted`
    await db`
      insert into federation_attempts select a.tenant_id, a.credential_id, a.attempt_id, sha256(n::text::bytea),
        a.is_admitted, a.step, a.reason, a.detail, a.claims, a.omitted, a.source_address, 1, a.first_at,
        a.last_at - make_interval(secs => n)
      from federation_attempts a, generate_series(1, 600) n
      where a.is_admitted and a.credential_id = (select credential_id from credentials where client_id = ${trust.clientId})`
    const { forgetAttempts } = await import('#rooms/governance/federation/index.ts')
    await forgetAttempts(world.db, new Date())
    const [row] = await db<{ admitted: number; refused: number }[]>`
      select count(*) filter (where is_admitted) as admitted, count(*) filter (where not is_admitted) as refused
      from federation_attempts a join credentials c on c.tenant_id = a.tenant_id and c.credential_id = a.credential_id
      where c.client_id = ${trust.clientId}`
    expect(row).toEqual({ admitted: 500, refused: 0 })
  })
})
