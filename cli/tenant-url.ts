import { canonicalHost } from '#kernel/hosts.ts'
import { type FlagValues, UsageError } from '#server/settings/config.ts'

/** The address of a tenant that is served at its domain. */
export const usualUrl = (domain: string): string =>
  `${canonicalHost(domain) === 'localhost' ? 'http' : 'https'}://${domain}`

/** The value of `--url`, or the usual address. */
export function tenantUrl(domain: string, flags: FlagValues): string {
  const given = flags['url'] as string | undefined
  if (given === undefined) return usualUrl(domain)
  const url = URL.parse(given)
  if (!url || !['http:', 'https:'].includes(url.protocol) || canonicalHost(url.host) !== canonicalHost(domain))
    throw new UsageError(`--url must be a URL of ${domain}, such as ${usualUrl(domain)}`)
  return url.origin
}

/** After the #, which browsers keep to themselves: no server and no proxy writes the token down. */
export const signInUrl = (url: string, token: string): string => `${url}/sign-in#${token}`
