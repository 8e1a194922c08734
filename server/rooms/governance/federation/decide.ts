import type { FieldViolation } from '#kernel/refusals.ts'
import { presets, type WellKnown } from './well-known.ts'

/** Issuers are compared without a trailing slash, and otherwise exactly. */
export const normalIssuer = (issuer: string): string => issuer.replace(/\/+$/, '')
export const isSameIssuer = (one: string, other: string): boolean => normalIssuer(one) === normalIssuer(other)

export type ProviderWanted = {
  wellKnown: WellKnown | null
  issuerUrl: string
  isOidc: boolean
  /** Null if `spiffe` was not sent. */
  bundleEndpointUrl: string | null
}
export type ProviderKind = { wellKnown: WellKnown; issuerUrl: string; bundleEndpointUrl: string }

/** What is wrong with an address, or null: `urlProblem` of the kernel. */
export type UrlProblem = (url: string) => string | null

/** The issuer of a provider, or what is wrong. SPIFFE, `spiffe://` and `spiffe` require each other. */
export function providerKind(wanted: ProviderWanted, urlProblem: UrlProblem): ProviderKind | FieldViolation[] {
  const given = wanted.issuerUrl.trim()
  const isSpiffe = given.startsWith('spiffe://')
  const wellKnown = wanted.wellKnown ?? (isSpiffe ? 'SPIFFE' : 'CUSTOM')
  return wellKnown === 'SPIFFE' || isSpiffe || wanted.bundleEndpointUrl !== null
    ? spiffeKind({ ...wanted, wellKnown, issuerUrl: given }, urlProblem)
    : oidcKind(wellKnown, given, urlProblem)
}

type Wanted = ProviderWanted & { wellKnown: WellKnown }

function spiffeKind(
  { wellKnown, issuerUrl, isOidc, bundleEndpointUrl }: Wanted,
  urlProblem: UrlProblem,
): ProviderKind | FieldViolation[] {
  const problems: FieldViolation[] = []
  if (wellKnown !== 'SPIFFE') problems.push({ field: 'wellKnownProvider', description: 'must be SPIFFE for spiffe' })
  if (isOidc) problems.push({ field: 'oidc', description: 'cannot be set for SPIFFE' })
  if (trustDomainOf(issuerUrl) === null)
    problems.push({ field: 'issuerUrl', description: 'must be a trust domain, as in spiffe://example.org' })
  const bundle = (bundleEndpointUrl ?? '').trim()
  const problem = bundle === '' ? 'must be given' : bundleProblem(bundle, urlProblem)
  if (problem !== null) problems.push({ field: 'spiffe.bundleEndpointUrl', description: problem })
  return problems.length > 0 ? problems : { wellKnown, issuerUrl, bundleEndpointUrl: bundle }
}

/** Shown to everyone who can see the provider. */
export const bundleProblem = (bundle: string, urlProblem: UrlProblem): string | null =>
  urlProblem(bundle) ?? (/[?#]/.test(bundle) ? 'must have neither query nor fragment' : null)

function oidcKind(wellKnown: WellKnown, given: string, urlProblem: UrlProblem): ProviderKind | FieldViolation[] {
  const { issuerUrl: usual, isFixed } = presets[wellKnown]
  const issuerUrl = given === '' ? (usual ?? '') : given
  const no = (description: string): FieldViolation[] => [{ field: 'issuerUrl', description }]
  if (issuerUrl === '')
    return no(
      wellKnown === 'AWS_IAM_OUTBOUND'
        ? 'is required: each AWS account has its own, which `aws iam get-outbound-web-identity-federation-info` prints'
        : 'must be given',
    )
  const problem = urlProblem(issuerUrl)
  if (problem !== null) return no(problem)
  if (/[?#]/.test(issuerUrl)) return no('must have neither query nor fragment')
  if (isFixed && usual !== null && !isSameIssuer(issuerUrl, usual) && !issuerUrl.startsWith(`${usual}/`))
    return no(`must be ${usual}, or the issuer of an enterprise below it; choose CUSTOM for another issuer`)
  return { wellKnown, issuerUrl, bundleEndpointUrl: '' }
}

/** SPIFFE-ID section 2.1: of `spiffe://example.org`, `example.org`. */
export const trustDomainOf = (issuerUrl: string): string | null =>
  /^spiffe:\/\/([a-z0-9._-]{1,255})\/?$/.exec(issuerUrl)?.[1] ?? null

/** SPIFFE-ID sections 2.1 to 2.3: the trust domain of an id, or null if it is not valid. */
export function spiffeDomainOf(id: unknown): string | null {
  if (typeof id !== 'string' || id.length > 2048) return null
  const [, domain, path = ''] = /^spiffe:\/\/([a-z0-9._-]{1,255})((?:\/[A-Za-z0-9._-]+)*)$/.exec(id) ?? []
  return domain === undefined || path.split('/').some((part) => part === '.' || part === '..') ? null : domain
}

const passthroughMax = 32
const claimLength = 256

export function trustProblems({ condition, passthrough }: { condition: string; passthrough: readonly string[] }) {
  const problems: FieldViolation[] = []
  if (condition.trim() === '') problems.push({ field: 'conditionExpression', description: 'must not be empty' })
  if (passthrough.length > passthroughMax)
    problems.push({ field: 'passthroughClaims', description: `must have at most ${passthroughMax} names` })
  for (const [at, name] of passthrough.entries())
    if (name === '' || name.length > claimLength || !name.isWellFormed() || name.includes('\0'))
      problems.push({
        field: `passthroughClaims[${at}]`,
        description: `must be the name of a claim, of at most ${claimLength} characters`,
      })
  return problems
}
