import { transact } from '#kernel/sql.ts'
import { makeLink } from '#rooms/sessions/index.ts'
import { operatorCause } from '#rooms/systemlog/index.ts'
import type { Tenant } from '#rooms/tenants/index.ts'
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

export const byLink = '/auth/v1/sign_in/link'

/** A browser in which a user is signed in. */
export async function signIn(server: { url: string }, access: Access, userId: string): Promise<Browser> {
  const browser = openBrowser(server)
  const reply = await browser.ask(byLink, { body: { token: await makeToken(access, userId) } })
  if (reply.status !== 200) throw new Error(reply.text)
  return browser
}

export const sessionIn = (reply: Reply): Json => reply.json['session'] as Json
