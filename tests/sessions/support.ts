import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import { type ChallengeKind, deleteChallenge, insertChallenge } from '#rooms/identity/sessions/challenges/store.ts'
import { makeLink } from '#rooms/identity/sessions/index.ts'
import { insertLink, takeLink } from '#rooms/identity/sessions/links/store.ts'
import { deleteSession, findSession, insertSession, type SessionRow } from '#rooms/identity/sessions/store.ts'
import { type Access, type Asking, ask, type Json, type Reply } from '../fixture/access.ts'

/** A browser as far as the server sees one: it keeps cookies, and says where its pages come from. */
export type Browser = {
  cookies: Map<string, string>
  /** What the last reply set, whole. */
  setCookies: string[]
  /** One request from a page of the server itself. */
  ask(path: string, asking?: Asking): Promise<Reply>
}

export function openBrowser(server: { url: string }, more: Asking = {}): Browser {
  const cookies = new Map<string, string>()
  const browser: Browser = {
    cookies,
    setCookies: [],
    async ask(path, asking = {}) {
      const host = asking.host ?? more.host ?? new URL(server.url).host.replace('127.0.0.1', 'localhost')
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const headers: Record<string, string | undefined> = {
        origin: `http://${host}`,
        'sec-fetch-site': 'same-origin',
        'x-bailiwick-console': '1',
        'user-agent': 'Tester/1.0',
        ...(cookie !== '' && { cookie }),
        ...more.headers,
        ...asking.headers,
      }
      // What is given as undefined is left out.
      const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))
      const reply = await ask(server, path, { ...more, ...asking, host, headers: sent as Record<string, string> })
      browser.setCookies = reply.headers['set-cookie'] ?? []
      for (const each of browser.setCookies) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
        if (value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
      return reply
    },
  }
  return browser
}

/** The token of a sign-in link, as the command prints it. */
export const makeToken = async ({ world, tenant }: Access, userId: string, of: Tenant = tenant): Promise<string> =>
  (await transact(world.db, (tx) => makeLink(tx, world, operatorCause(of, 'test'), userId))).token

/** What a cookie's value looks like. */
export const cookieForm = String.raw`[0-9A-Za-z]{27}\.1\.1\.[\w-]{43}`

export const byLink = '/auth/v1/sign_in/link'

/** A browser in which a user is signed in. */
export async function signIn(server: { url: string }, access: Access, userId: string): Promise<Browser> {
  const browser = openBrowser(server)
  const reply = await browser.ask(byLink, { body: { token: await makeToken(access, userId) } })
  if (reply.status !== 200) throw new Error(reply.text)
  return browser
}

export const sessionIn = (reply: Reply): Json => reply.json['session'] as Json

/** Changes sessions of a user as only the program can: with the MACs that belong to them. */
export async function rewriteSessions(
  { world }: Access,
  userId: string,
  changed: (session: SessionRow) => SessionRow,
): Promise<void> {
  const rows = await world.db<{ tenantId: number; id: string }[]>`
    select tenant_id as "tenantId", session_id as id from sessions where user_id = ${userId}`
  for (const { tenantId, id } of rows) {
    const session = await findSession(world.db, tenantId, id)
    if (!session || session.endedAt) continue
    await transact(world.db, async (tx) => {
      await deleteSession(tx, tenantId, userId, id)
      await insertSession(tx, world.seals, tenantId, changed(session))
    })
  }
}

const earlier = <T extends Date | null>(at: T, ms: number): T => (at && new Date(at.getTime() - ms)) as T

/** Lets time pass for sessions: they were all begun, and their cookies all given, so much earlier. */
export const letPass = (access: Access, userId: string, minutes: number): Promise<void> =>
  rewriteSessions(access, userId, (session) => {
    const ms = minutes * 60_000
    return {
      ...session,
      createdAt: earlier(session.createdAt, ms),
      expiresAt: earlier(session.expiresAt, ms),
      rotatedAt: earlier(session.rotatedAt, ms),
      previousUntil: earlier(session.previousUntil, ms),
      offeredAt: earlier(session.offeredAt, ms),
    }
  })

/** Lets the time of all links of a user run out. */
export async function expireLinks({ world }: Access, userId: string): Promise<void> {
  const rows = await world.db<{ tenantId: number; secretSha256: Buffer }[]>`
    select tenant_id as "tenantId", secret_sha256 as "secretSha256" from sign_in_links where user_id = ${userId}`
  for (const { tenantId, secretSha256 } of rows)
    await transact(world.db, async (tx) => {
      const link = await takeLink(tx, tenantId, secretSha256)
      if (link) await insertLink(tx, world.seals, tenantId, { ...link, expiresAt: new Date(Date.now() - 1000) })
    })
}

/** Lets the time of all challenges run out. */
export async function expireChallenges({ world }: Access): Promise<void> {
  const rows = await world.db<{ tenantId: number; kind: ChallengeKind; challengeSha256: Buffer }[]>`
    select tenant_id as "tenantId", kind, challenge_sha256 as "challengeSha256" from sign_in_challenges`
  for (const { tenantId, kind, challengeSha256 } of rows) {
    const challenge = await deleteChallenge(world.db, tenantId, kind, challengeSha256)
    const expiresAt = new Date(Date.now() - 1000)
    if (challenge) await insertChallenge(world.db, world.seals, tenantId, { ...challenge, expiresAt })
  }
}
