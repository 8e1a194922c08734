import type { Uses } from './uses.ts'

export const useKinds = [
  'CREDENTIALS',
  'CONNECTOR_CREDENTIALS',
  'PASSKEYS',
  'OIDC_PROVIDERS',
  'DIRECTORIES',
  'WEBHOOKS',
  'FEDERATION_TRUSTS',
  'LINKS',
] as const
export type UseKind = (typeof useKinds)[number]
export type Use = { kind: UseKind; count: number; effect: string; action: string }

/**
 * What depends on an address: what becomes of it when another one is used, and what somebody has to do before this one
 * ends. Addresses as browsers write them.
 */
export function usesOf(uses: Uses, from: string, to: string): Use[] {
  const all: Use[] = [
    {
      kind: 'CREDENTIALS',
      count: uses.credentials,
      effect: `Their client IDs contain ${bare(from)} and stay valid, at both addresses, also after ${bare(from)} has ended.`,
      action: `Programs that take the address of the server from the client ID call ${bare(from)}: create new credentials for them, or configure the address.`,
    },
    {
      kind: 'CONNECTOR_CREDENTIALS',
      count: uses.connectorCredentials,
      effect: 'The same applies to credentials of connectors.',
      action: 'Start connectors with new credentials, or with the new address.',
    },
    {
      kind: 'PASSKEYS',
      count: uses.passkeys,
      effect: `Browsers offer a passkey only at the address where it was added: these work at ${bare(from)} alone.`,
      action: `People open ${from}/move, sign in there, continue at ${bare(to)}, and add a passkey.`,
    },
    {
      kind: 'OIDC_PROVIDERS',
      count: uses.oidcProviders,
      effect: 'The provider returns people to the address where they began to sign in.',
      action: `Add ${to}/auth/v1/oidc/callback to the redirect URIs at the provider, before people sign in there.`,
    },
    {
      kind: 'DIRECTORIES',
      count: uses.directories,
      effect: 'The SCIM URL with either address works, with the same token.',
      action: 'Change the SCIM URL at the identity provider.',
    },
    {
      kind: 'WEBHOOKS',
      count: uses.webhooks,
      effect: `Messages from then on have callback URLs at ${bare(to)}, and it is the iss of their signature (a JWT).`,
      action: 'Check that their receivers can reach the new address, and accept it as iss.',
    },
    {
      kind: 'FEDERATION_TRUSTS',
      count: uses.federationTrusts,
      effect: 'Tokens for either address are accepted.',
      action: `Change the audience that workloads request to ${bare(to)}.`,
    },
  ]
  const links: Use = {
    kind: 'LINKS',
    count: 0,
    effect: `Links in messages lead to ${bare(to)}, new client IDs and access tokens contain it, and the system log names it. ${bare(from)} sends browsers there.`,
    action: '',
  }
  return [...all.filter(({ count }) => count > 0), links]
}

const bare = (address: string): string => address.replace(/^https?:\/\//, '')
