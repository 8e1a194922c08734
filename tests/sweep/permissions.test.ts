import { globSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { permissions } from '#authority/permissions.ts'
import { rules } from '#authority/rules.ts'
import { anyone, authenticated, type Route, route, signedIn } from '#kernel/routes.ts'
import { empty } from '#kernel/wire.ts'
import { builtInRoles } from '#rooms/identity/roles/index.ts'
import { routes } from '#server/registry/routes.ts'
import { permissionsPage } from '../../scripts/permissions-page.ts'
import {
  type Access,
  type Asking,
  ask,
  getToken,
  newAddress,
  openAccess,
  type Reply,
  type RoleName,
  reasonOf,
} from '../fixture/access.ts'
import { isLong } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { type Browser, signIn } from '../sessions/support.ts'

/**
 * Every operation is called with no token, with another tenant's, with each role's, and from the console by someone of
 * each role; the answers are compared with the tables. An operation that is added later is called too: it is in the route table, or it is not served.
 * `npm test` calls each with no token, by one who may and by one who may not: from operation to operation another one.
 */

const root = join(import.meta.dirname, '../..')

const extra = (id: string, allow: string): Route =>
  route({ id, at: `GET /api/v1/${id}/{some_id}`, summary: '.', allow, reply: empty, handle: () => ({}) })

// Served with one permission and tabled with another: each must be caught.
const escaped = {
  open: { served: extra('open', anyone), tabled: extra('open', 'roles.read') },
  loose: { served: extra('loose', authenticated), tabled: extra('loose', 'roles.write') },
  wrong: { served: extra('wrong', 'roles.read'), tabled: extra('wrong', 'systemlog.read') },
  unheard: { served: extra('unheard', 'no.such.permission'), tabled: extra('unheard', 'no.such.permission') },
}

const roleNames = Object.keys(builtInRoles) as RoleName[]
/** Those whose holders call by a limited credential and from the console too; in `npm run test:long` all do. */
const fewRoles: RoleName[] = ['system:user', 'system:application-admin']
let server: TestServer
let access: Access
let foreign: string
/** Of each role, the token of a user who holds it, and of a Super Administrator's credential that is limited to it. */
const tokens = new Map<string, { role: RoleName; token: string }>()
/** Of each role, a browser in which a user who holds it is signed in to the console. */
const browsers = new Map<RoleName, Browser>()
const openConsole = async (role: RoleName): Promise<Browser> => {
  const browser = await signIn(server, access, await access.makeUser({ roles: [role] }))
  browsers.set(role, browser)
  return browser
}
beforeAll(async () => {
  const extraRoutes = Object.values(escaped).map(({ served }) => served)
  server = await startServer({ extraRoutes, flags: { 'trusted-proxy': ['127.0.0.1'] } })
  access = await openAccess(server)
  const other = await access.makeTenant('sweep.example.com')
  foreign = await getToken(server, await access.makeCaller(['system:owner'], {}, other))
  for (const role of roleNames) {
    tokens.set(role, { role, token: await getToken(server, await access.makeCaller([role])) })
    if (!isLong && !fewRoles.includes(role)) continue
    await openConsole(role)
    const limited = await access.makeCaller(['system:owner'], { roles: [role] })
    tokens.set(`scope ${role}`, { role, token: await getToken(server, limited) })
  }
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

// A KSUID that nobody has.
const unknownId = '2zzzzzzzzzzzzzzzzzzzzzzzzzz'

function call({ method, path, form }: Route, token?: string, browser?: Browser): Promise<Reply> {
  const asking = browser?.ask ?? ((at: string, how: Asking) => ask(server, at, how))
  return asking(path.replace(/\{\w+\}/g, unknownId), {
    method,
    // From where nobody else calls: denials of strangers are counted by address.
    from: newAddress(),
    ...(token !== undefined && { token }),
    ...(method !== 'GET' && {
      body: form ? '' : '{}',
      headers: { 'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json' },
    }),
  })
}

const answerOf = (reply: Reply): string => {
  const { status, json, headers } = reply
  // The endpoints of OAuth are open, and ask for the client in the body: RFC 6749 section 5.2.
  if (status === 401 && json['error'] === 'invalid_client') return 'let in'
  if (status === 401) return `401/${json['code'] as number} ${reasonOf(reply) as string} ${headers['www-authenticate']}`
  if (status === 403) return `403/${json['code'] as number} ${reasonOf(reply) as string}`
  return status >= 500 ? `a failure, ${status}` : 'let in'
}

// Who may call it as the owner of what it is about is let in to hear that it is not there: owners.test.ts goes on.
const mayCall = ({ allow, allowOwners, about }: Route, role: RoleName): boolean => {
  const terms: { permissions: readonly string[]; permissionsOnOwned?: readonly string[] } = builtInRoles[role]
  const isForOwners = about.length > 0 && terms.permissionsOnOwned?.includes(allowOwners) === true
  return allow === authenticated || terms.permissions.includes(allow) || isForOwners
}

const denied = '403/7 PERMISSION_DENIED'
/** What a token of someone with this role gets. */
const answerTo = (each: Route, role: RoleName): string => {
  if (each.allow === signedIn) return '403/7 SESSION_REQUIRED'
  return mayCall(each, role) ? 'let in' : denied
}

/** Who calls: by a token, or by the console of someone with a role. */
type Call = { who: string; expected: string; token?: string; role?: RoleName }

/** One that is let in and one that is not: of those who are, another one at each place. */
function oneOfEach(calls: readonly Call[], place: number): Call[] {
  const isLetIn = ({ expected }: Call): boolean => expected === 'let in'
  const kinds = [calls.filter(isLetIn), calls.filter((each) => !isLetIn(each))]
  return kinds.flatMap((kind) => kind.slice(place % kind.length).slice(0, 1))
}

/** What is not as the tables say, a line each. */
async function sweep(table: readonly Route[], areAllAsked = true): Promise<string[]> {
  const wrong: string[] = []
  const compare = async (each: Route, { who, expected, token, role }: Call): Promise<void> => {
    // Signing out is an operation too.
    const known = role && browsers.get(role)
    const browser = role && (known?.cookies.has('bailiwick') ? known : await openConsole(role))
    const answer = answerOf(await call(each, token, browser))
    if (answer !== expected) wrong.push(`${each.id} for ${who}: ${answer}, not ${expected}`)
  }
  for (const [place, each] of table.entries()) {
    const isOpen = each.allow === anyone
    if (![anyone, authenticated, signedIn].includes(each.allow) && !Object.hasOwn(permissions, each.allow))
      wrong.push(`${each.id} needs ${each.allow}, which is no permission`)
    // What signs in and out is open to the console's own pages: these calls come from no page.
    const toAnyone = each.ownPages ? '403/7 CROSS_SITE_REFUSED' : 'let in'
    const another =
      '401/16 TOKEN_INVALID Bearer realm="localhost", error="invalid_token", error_description="The access token does not belong to this tenant."'
    const calls: Call[] = [{ who: "another tenant's token", expected: isOpen ? toAnyone : another, token: foreign }]
    for (const [who, { role, token }] of tokens)
      calls.push({ who, expected: isOpen ? toAnyone : answerTo(each, role), token })
    for (const role of browsers.keys()) {
      const isLetIn = isOpen || each.allow === signedIn || mayCall(each, role)
      calls.push({ who: `${role} in the console`, expected: isLetIn ? 'let in' : denied, role })
    }
    const asked = areAllAsked ? calls : oneOfEach(calls, place)
    await Promise.all([
      compare(each, { who: 'no token', expected: isOpen ? toAnyone : '401/16 TOKEN_MISSING Bearer realm="localhost"' }),
      ...asked.map((one) => compare(each, one)),
    ])
  }
  return wrong
}

test('every operation lets in who the tables say, and nobody else', async () => {
  expect(await sweep(routes, isLong)).toEqual([])
})

describe('the sweep finds an operation', () => {
  test('that lets in strangers', async () => {
    const wrong = await sweep([escaped.open.tabled])
    expect(wrong).toContain('open for no token: let in, not 401/16 TOKEN_MISSING Bearer realm="localhost"')
    expect(wrong.some((line) => line.startsWith("open for another tenant's token: let in"))).toBe(true)
  })

  test('that lets in everyone with a token', async () => {
    expect(await sweep([escaped.loose.tabled])).toContain('loose for system:user: let in, not 403/7 PERMISSION_DENIED')
  })

  test('that asks for another permission than it says, both ways', async () => {
    const wrong = await sweep([escaped.wrong.tabled])
    expect(wrong).toContain('wrong for system:user: let in, not 403/7 PERMISSION_DENIED')
    expect(wrong).toContain('wrong for system:system-logs-reader: 403/7 PERMISSION_DENIED, not let in')
  })

  test('that asks for a permission that there is not', async () => {
    expect(await sweep([escaped.unheard.tabled])).toEqual(['unheard needs no.such.permission, which is no permission'])
  })
})

describe('the route table', () => {
  test('names each operation and each address once', () => {
    const ids = routes.map((each) => each.id)
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
    const addresses = routes.map((each) => `${each.method} ${each.path.replace(/\{\w+\}/g, '{}')}`)
    expect(addresses.filter((address, i) => addresses.indexOf(address) !== i)).toEqual([])
  })

  test('asks only for permissions that there are, and every permission is asked for or held apart', () => {
    const asked = new Set(routes.map((each) => each.allow))
    const known = new Set<string>([...Object.keys(permissions), anyone, authenticated, signedIn])
    expect([...asked].filter((allow) => !known.has(allow))).toEqual([])
  })

  test('names a rule for each operation, and every rule is of an operation or asked for by name', async () => {
    expect(routes.filter((each) => !Object.hasOwn(rules, each.rule)).map((each) => each.id)).toEqual([])
    const named = new Set(routes.map((each) => each.rule))
    const others = Object.keys(rules).filter((action) => !named.has(action))
    const code = globSync('server/rooms/**/*.ts', { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'))
    expect(others.filter((action) => !code.some((text) => text.includes(`'${action}'`)))).toEqual([])
  })

  test('leaves nothing open but the token, revocation, introspection and device authorization endpoints, their metadata, the public keys, callbacks of webhooks, and signing in to the console', () => {
    const open = routes.filter((each) => each.allow === anyone)
    expect(open.filter((each) => !each.ownPages).map((each) => `${each.method} ${each.path}`)).toEqual([
      'POST /auth/v1/token',
      'POST /auth/v1/revoke',
      'POST /auth/v1/introspect',
      'POST /auth/v1/device_authorization',
      'GET /.well-known/oauth-authorization-server',
      'GET /auth/v1/jwks',
      'GET /auth/v1/sign_in',
      'GET /auth/v1/oidc/callback',
      // Its path contains a secret that is valid for one answer: tests/webhooks/deliveries.test.ts.
      'POST /api/v1/webhooks/callback/{token}',
    ])
    expect(open.filter((each) => each.ownPages).map((each) => `${each.method} ${each.path}`)).toEqual([
      'POST /auth/v1/sign_in/link',
      'POST /auth/v1/sign_in/invitation',
      'POST /auth/v1/sign_in/passkey_options',
      'POST /auth/v1/sign_in/passkey',
      'POST /auth/v1/sign_in/oidc',
      'POST /auth/v1/sign_out',
    ])
  })

  test('and the table of rules are docs/permissions.md, so that a change of either is one of the page', async () => {
    const page = await readFile(join(import.meta.dirname, '../../docs/permissions.md'), 'utf8')
    expect(permissionsPage(routes), 'npm run generate').toBe(page)
  })
})
