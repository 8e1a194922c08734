import { canonicalHost } from '#kernel/hosts.ts'
import { Refusal } from '#kernel/refusals.ts'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { makeLink } from '#rooms/identity/sessions/index.ts'
import { findUserByEmail } from '#rooms/identity/users/index.ts'
import { dataSettings, type FlagValues, UsageError } from '#server/config.ts'
import type { Command, Flag } from './command.ts'
import { chooseTenant, operate, print, printJson, tenantFlag } from './operate.ts'

export const urlFlag: Flag = {
  name: 'url',
  value: 'URL',
  help: "Where browsers reach the tenant. [default: https:// and the tenant's domain; http:// for localhost]",
}

/** Where browsers reach a tenant that is served as its domain says. */
export const usualUrl = (domain: string): string =>
  `${canonicalHost(domain) === 'localhost' ? 'http' : 'https'}://${domain}`

/** What `--url` says, or what is usual. */
export function tenantUrl(domain: string, flags: FlagValues): string {
  const given = flags['url'] as string | undefined
  if (given === undefined) return usualUrl(domain)
  const url = URL.parse(given)
  if (!url || !['http:', 'https:'].includes(url.protocol) || canonicalHost(url.host) !== canonicalHost(domain))
    throw new UsageError(`--url must be an address of ${domain}, as in ${usualUrl(domain)}`)
  return url.origin
}

/** After the #, which browsers keep to themselves: no server and no proxy writes the token down. */
export const signInUrl = (url: string, token: string): string => `${url}/sign-in#${token}`

export const signInLink: Command = {
  name: 'sign-in-link',
  positionals: [],
  summary: 'Make a link that signs a user in to the console: once, within 15 minutes.',
  settings: dataSettings,
  flags: [
    { name: 'user', value: 'EMAIL', help: 'Who signs in with it.', required: true },
    tenantFlag,
    urlFlag,
    {
      name: 'break-glass',
      value: null,
      help: "Also where the tenant's sign-in policy allows no links. The system log marks it as an alarm.",
    },
    { name: 'json', value: null, help: 'Print JSON.' },
  ],
  run: ({ flags }) =>
    operate(flags, async (world) => {
      const tenant = await chooseTenant(world, flags)
      const url = tenantUrl(tenant.domain, flags)
      const email = flags['user'] as string
      const person = await findUserByEmail(world.db, tenant.id, email)
      if (!person) throw new UsageError(`no user has the email address ${email}`)
      const cause = operatorCause(tenant, 'sign-in-link')
      const isBreakGlass = flags['break-glass'] === true
      const { token, expiresAt } = await transact(world.db, (tx) =>
        makeLink(tx, world, cause, person.id, isBreakGlass),
      ).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error
        const advice = error.reason === 'SIGN_IN_REFUSED' ? ' Use --break-glass in an emergency.' : ''
        throw new UsageError(`${error.message}${advice}`)
      })
      const link = signInUrl(url, token)
      if (flags['json']) printJson({ url: link, expiresAt })
      else print(`${link}\nWorks once, until ${expiresAt.toISOString()}. Whoever has it is signed in as ${email}.`)
      return 0
    }),
}
