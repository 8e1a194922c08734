import { aList, connector, group, optional, secret, setting, yesOrNo } from './connector.ts'
import type { CatalogEntry } from './entry.ts'

/** Directories, identity providers and vaults. */
export const identityConnectors: readonly CatalogEntry[] = [
  connector('baton-1password', '1Password', {
    reads: ['accounts', 'groups', 'users', 'vaults'],
    provisions: ['groups', 'vaults'],
    settings: [
      setting('auth-type', 'How the 1Password command signs in: user or service.', { optional: true, example: 'user' }),
      setting('address', 'Sign-in address of the account.', { optional: true, example: 'my.1password.com' }),
      setting('email', 'Email address of the account; required for auth-type user.', optional),
      setting('secret-key', 'Secret key of the account; required for auth-type user.', { ...secret, optional: true }),
      setting('password', 'Password of the account; required for auth-type user.', { ...secret, optional: true }),
    ],
  }),
  connector('baton-auth0', 'Auth0', {
    reads: ['organizations', 'roles', 'users'],
    provisions: ['organizations', 'roles'],
    settings: [
      setting('auth0-base-url', 'Address of the tenant.', { example: 'https://example.auth0.com' }),
      setting('auth0-client-id', 'Client id of a machine-to-machine application.'),
      setting('auth0-client-secret', 'Client secret of that application.', secret),
    ],
  }),
  connector('baton-google-workspace', 'Google Workspace', {
    reads: ['groups', 'roles', 'users', 'enterprise applications'],
    provisions: ['groups', 'roles'],
    accounts: true,
    settings: [
      setting('customer-id', 'Customer id of the account.', { example: 'C01234567' }),
      setting('administrator-email', 'Administrator on whose behalf the service account acts.', {
        example: 'admin@example.com',
      }),
      setting('credentials-json-file-path', 'Path of the key file (JSON) of a service account.', {
        example: '/etc/baton/google.json',
      }),
      setting('credentials-json', 'The key of a service account itself, as JSON.', secret),
      setting('domain', 'Only this domain.', { optional: true, example: 'example.com' }),
    ],
    groups: [
      group('file', 'Key file', ['credentials-json-file-path'], true),
      group('inline', 'Key as text', ['credentials-json']),
    ],
  }),
  connector('baton-hashicorp-vault', 'HashiCorp Vault', {
    reads: ['auth methods', 'entities', 'groups', 'policies', 'roles', 'secrets', 'users'],
    provisions: ['policies', 'roles'],
    settings: [
      setting('vault-host', 'Address of Vault.', { example: 'https://vault.example.com:8200' }),
      setting('vault-token', 'Token.', secret),
    ],
  }),
  connector('baton-jumpcloud', 'JumpCloud', {
    reads: ['users', 'groups', 'roles', 'apps'],
    provisions: ['groups'],
    settings: [setting('api-key', 'API key.', secret), setting('org-id', 'Id of the organization.', optional)],
  }),
  connector('baton-ldap', 'LDAP', {
    reads: ['users', 'groups', 'roles'],
    provisions: ['groups', 'roles'],
    accounts: true,
    settings: [
      setting('url', 'Address of the server.', { example: 'ldaps://ldap.example.com' }),
      setting('base-dn', 'Base DN of searches.', { optional: true, example: 'DC=example,DC=com' }),
      setting('bind-dn', 'DN of the user to bind as.', { optional: true, example: 'CN=baton,DC=example,DC=com' }),
      setting('password', 'Password of that user.', { ...secret, optional: true }),
      setting('user-search-dn', 'Base DN of users.', { optional: true, example: 'OU=Users,DC=example,DC=com' }),
      setting('group-search-dn', 'Base DN of groups.', {
        optional: true,
        example: 'OU=Groups,DC=example,DC=com',
      }),
      setting('role-search-dn', 'Base DN of roles.', optional),
      setting('filter', 'Filter that is added to every search.', {
        optional: true,
        example: '(!(objectClass=computer))',
      }),
      setting('insecure-skip-verify', 'Do not verify the certificate of the server.', yesOrNo),
    ],
  }),
  connector('baton-okta', 'Okta', {
    reads: ['users', 'groups', 'apps', 'roles', 'resource sets', 'devices', 'API tokens'],
    provisions: ['groups', 'apps', 'roles', 'resource sets'],
    accounts: true,
    settings: [
      setting('domain', 'Host of the organization.', { example: 'example.okta.com' }),
      setting('api-token', 'API token.', secret),
      setting('okta-client-id', 'Client id of an API services app.'),
      setting('okta-private-key', 'Private key of that app (PEM).', secret),
      setting('okta-private-key-id', 'Id of that key.'),
      setting('filter-email-domains', 'Only users with addresses of these domains.', {
        ...aList,
        example: 'example.com',
      }),
    ],
    groups: [
      group('api-token', 'API token', ['api-token'], true),
      group('private-key', 'Private key (OAuth 2.0)', ['okta-client-id', 'okta-private-key', 'okta-private-key-id']),
    ],
  }),
  connector('baton-onelogin', 'OneLogin', {
    reads: ['users', 'groups', 'apps', 'roles'],
    provisions: ['roles'],
    settings: [
      setting('subdomain', 'Subdomain of the account.', { example: 'example' }),
      setting('onelogin-client-id', 'Client id of an API credential.'),
      setting('onelogin-client-secret', 'Client secret of that credential.', secret),
    ],
  }),
]
