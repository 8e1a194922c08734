import { domainToASCII } from 'node:url'
import type { FieldViolation } from '#kernel/refusals.ts'

export const providersMax = 20
export const domainsMax = 50
export const nameLengthMax = 100
export const domainLengthMax = 253

/** What decides whom a provider may sign in. */
export type Scope = { domains: readonly string[]; isEnabled: boolean; isOfOperator: boolean }

/** The domain of an email address, as domains of providers are written; empty if it has none. */
const mailDomainOf = (email: string): string => {
  const at = email.lastIndexOf('@')
  return at < 1 ? '' : domainToASCII(email.slice(at + 1)).toLowerCase()
}

/** As it is compared: in lower case, and international names in ASCII. Empty if it is not a domain. */
export function domainOf(text: string): string {
  const domain = domainToASCII(text.trim().replace(/^@/, '')).toLowerCase()
  const isName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(domain)
  return isName && domain.length <= domainLengthMax ? domain : ''
}

/** The operator's provider may be for all addresses; any other is for the domains that it names, and no others. */
export const covers = ({ domains, isOfOperator }: Scope, email: string): boolean =>
  (isOfOperator && domains.length === 0) || domains.includes(mailDomainOf(email))

/** The provider for an address: the one of its domain, else the operator's for all addresses. Nothing is asked about users. */
export function chooseByEmail<P extends Scope>(providers: readonly P[], email: string): P | null {
  const enabled = providers.filter(({ isEnabled }) => isEnabled)
  const domain = mailDomainOf(email)
  return (
    enabled.find(({ domains }) => domain !== '' && domains.includes(domain)) ??
    enabled.find((provider) => covers(provider, email)) ??
    null
  )
}

/** The provider that people can be sent to without asking for their address; null if there are several. */
export function onlyOne<P extends Scope>(providers: readonly P[]): P | null {
  const [first, second] = providers.filter(({ isEnabled }) => isEnabled)
  return first && !second ? first : null
}

export type Settings = { displayName: string; clientId: string; domains: readonly string[] }

export function settingsProblems({ displayName, clientId, domains }: Settings): FieldViolation[] {
  const problems: FieldViolation[] = []
  if (displayName.trim() === '') problems.push({ field: 'displayName', description: 'must not be empty' })
  if (clientId.trim() === '') problems.push({ field: 'clientId', description: 'must not be empty' })
  if (domains.length === 0) problems.push({ field: 'domains', description: 'must name at least one mail domain' })
  for (const [place, domain] of domains.entries())
    if (domainOf(domain) === '')
      problems.push({ field: `domains[${place}]`, description: 'must be a domain as in example.com' })
  return problems
}
