import { dataSettings } from '#server/settings/config.ts'
import type { Command } from '../command.ts'
import { jsonFlag, signInMethods, tenantFlag, urlFlag } from '../values.ts'

/** Tenants, and how people sign in to them. */
export const tenantCommands: readonly Command[] = [
  {
    name: 'tenant create',
    positionals: ['DOMAIN'],
    summary: 'Create a tenant that is served at DOMAIN, with one Super Administrator.',
    settings: dataSettings,
    flags: [{ name: 'owner', value: 'EMAIL', help: 'The email address of the Super Administrator.', required: true }],
    load: async () => (await import('../tenant-create.ts')).tenantCreate,
  },
  {
    name: 'tenant list',
    positionals: [],
    summary: 'List the tenants.',
    settings: dataSettings,
    flags: [jsonFlag],
    load: async () => (await import('../tenant.ts')).tenantList,
  },
  {
    name: 'tenant rotate-keys',
    positionals: [],
    summary: 'Sign access tokens with a new key. Tokens signed with the old key stay valid until they expire.',
    settings: dataSettings,
    flags: [tenantFlag],
    load: async () => (await import('../tenant.ts')).tenantRotateKeys,
  },
  {
    name: 'tenant oidc set',
    positionals: [],
    summary: 'Configure an OpenID Connect provider with which people of a tenant can sign in to the console.',
    settings: dataSettings,
    flags: [
      { name: 'issuer', value: 'URL', help: 'The provider, as in https://login.example.com.', required: true },
      { name: 'client-id', value: 'ID', help: 'The client ID of Bailiwick at the provider.', required: true },
      { name: 'client-secret-file', value: 'FILE', help: 'The client secret. [default: none, a public client]' },
      { name: 'unchecked', value: null, help: 'Do not check the configuration of the provider.' },
      tenantFlag,
      urlFlag,
    ],
    load: async () => (await import('../oidc.ts')).tenantOidcSet,
  },
  {
    name: 'tenant oidc show',
    positionals: [],
    summary: 'Show the OpenID Connect provider of a tenant.',
    settings: dataSettings,
    flags: [tenantFlag, urlFlag, jsonFlag],
    load: async () => (await import('../oidc.ts')).tenantOidcShow,
  },
  {
    name: 'tenant oidc remove',
    positionals: [],
    summary: 'Remove the OpenID Connect provider of a tenant. Existing sessions continue.',
    settings: dataSettings,
    flags: [tenantFlag],
    load: async () => (await import('../oidc.ts')).tenantOidcRemove,
  },
  {
    name: 'tenant sign-in-policy show',
    positionals: [],
    summary: 'Show how people of a tenant can sign in to the console, and for how long.',
    settings: dataSettings,
    flags: [tenantFlag, jsonFlag],
    load: async () => (await import('../sign-in-policy.ts')).tenantPolicyShow,
  },
  {
    name: 'tenant sign-in-policy set',
    positionals: [],
    summary: 'Change how people of a tenant can sign in to the console. Settings that are not given are kept.',
    settings: dataSettings,
    flags: [
      {
        name: 'allow',
        value: 'METHOD',
        help: `A sign-in method: ${signInMethods.join(', ')}. Sessions that used another method end.`,
        repeatable: true,
      },
      { name: 'idle', value: 'TIME', help: 'End inactive sessions after this time, as in 30m or 12h.' },
      { name: 'session', value: 'TIME', help: 'End all sessions after this time, as in 12h or 7d.' },
      {
        name: 'fresh',
        value: 'TIME',
        help: 'How long after a sign-in credentials and passkeys can be created, as in 15m.',
      },
      { name: 'defaults', value: null, help: 'Start from the defaults instead of the current settings.' },
      {
        name: 'any-address',
        value: null,
        help: 'Remove the limits on the addresses that people and connectors can connect from.',
      },
      tenantFlag,
    ],
    load: async () => (await import('../sign-in-policy.ts')).tenantPolicySet,
  },
  {
    name: 'sign-in-link',
    positionals: [],
    summary: 'Create a link that signs a user in to the console. It works once, within 15 minutes.',
    settings: dataSettings,
    flags: [
      { name: 'user', value: 'EMAIL', help: 'The user who signs in.', required: true },
      tenantFlag,
      urlFlag,
      {
        name: 'break-glass',
        value: null,
        help: 'Create the link even if the sign-in policy of the tenant does not allow links. The system log marks it as an alarm.',
      },
      jsonFlag,
    ],
    load: async () => (await import('../sign-in-link.ts')).signInLink,
  },
]
