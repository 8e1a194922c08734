import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export type Person = { email?: string; email_verified?: unknown }

/** A real OpenID Connect provider, with a form to sign in with: whoever is named is signed in. */
export type TestProvider = {
  issuer: string
  people: Map<string, Person>
  /** Goes where a browser is sent, signs in there as someone, and says where it is sent back to. */
  signIn(url: string, login: string | null): Promise<string>
  stop(): Promise<void>
}

export const clientId = 'bailiwick'
export const clientSecret = 'a-secret-of-the-client-that-is-long-enough'

export async function startProvider(callbacks: string[]): Promise<TestProvider> {
  const people = new Map<string, Person>()
  const http: Server = createServer()
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const issuer = `http://localhost:${(http.address() as AddressInfo).port}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: callbacks }],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'one' }] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    cookies: { keys: ['not a secret: of a test'] },
    findAccount: (_context: object, sub: string) => ({
      accountId: sub,
      claims: async () => ({ sub, ...people.get(sub) }),
    }),
  })
  http.on('request', provider.callback())

  return {
    issuer,
    people,
    async signIn(url, login) {
      const cookies = new Map<string, string>()
      let at = url
      let form: Record<string, string> | null = null
      for (let step = 0; step < 20; step++) {
        const reply: Response = await fetch(at, {
          redirect: 'manual',
          headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
          ...(form && { method: 'POST', body: new URLSearchParams(form) }),
        })
        for (const each of reply.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
          cookies.set(name, value)
        }
        form = null
        const location = reply.headers.get('location')
        const page = await reply.text()
        if (location === null) {
          const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
          if (!prompt) throw new Error(`${reply.status} ${page.slice(0, 500)}`)
          if (login === null) at = `${at}/abort`
          else form = { prompt, login, password: 'any' }
        } else {
          at = new URL(location, at).href
          if (!at.startsWith(issuer)) return at
        }
      }
      throw new Error(`no way back, last at ${at}`)
    },
    stop: () => new Promise((resolve) => http.close(() => resolve())),
  }
}
