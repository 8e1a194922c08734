import type { CatalogEntry, Group, Setting } from './entry.ts'

/**
 * Well-known open-source connectors, with what each is started with: facts from their public repositories (the configuration that
 * they declare and the capabilities that they list, as of November 2026), in our words. Settings that only tune a connector are left out.
 */
type Flags = { secret?: true; optional?: true; type?: Setting['type']; example?: string }
const setting = (name: string, description: string, { secret, optional, type, example }: Flags = {}): Setting => ({
  name,
  description,
  type: type ?? 'string',
  isRequired: !optional,
  isSecret: secret === true,
  example: example ?? '',
})
const secret = { secret: true } as const
const optional = { optional: true } as const
const aList = { optional: true, type: 'list' } as const
const yesOrNo = { optional: true, type: 'bool' } as const

const group = (name: string, displayName: string, settings: readonly string[], isDefault = false): Group => ({
  name,
  displayName,
  isDefault,
  settings,
})

type Facts = Pick<CatalogEntry, 'reads' | 'provisions' | 'settings'> & { accounts?: true; groups?: readonly Group[] }
const connector = (id: string, displayName: string, { accounts, groups = [], ...facts }: Facts): CatalogEntry => ({
  id,
  displayName,
  ...facts,
  createsAccounts: accounts === true,
  groups,
})

export const catalog: readonly CatalogEntry[] = [
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
  connector('baton-asana', 'Asana', {
    reads: ['workspaces', 'teams', 'users'],
    provisions: ['workspaces', 'teams'],
    settings: [setting('token', 'Personal access token.', secret)],
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
  connector('baton-aws', 'AWS', {
    reads: ['accounts', 'IAM users, groups, roles and policies', 'Identity Center users, groups and permission sets'],
    provisions: ['accounts', 'IAM groups and policies', 'Identity Center groups and permission sets'],
    accounts: true,
    settings: [
      setting('global-region', 'AWS region.', { optional: true, example: 'eu-central-1' }),
      setting(
        'global-access-key-id',
        'Id of an access key; without it, the default credentials of the machine are used.',
        optional,
      ),
      setting('global-secret-access-key', 'Secret of that access key.', { ...secret, optional: true }),
      setting('use-assume', 'Assume the role in role-arn.', yesOrNo),
      setting('role-arn', 'Role to assume.', { optional: true, example: 'arn:aws:iam::123456789012:role/baton' }),
      setting('external-id', 'External id that the role requires.', optional),
      setting('global-aws-orgs-enabled', 'Read the accounts of the organization.', yesOrNo),
      setting('global-aws-sso-enabled', 'Read IAM Identity Center.', yesOrNo),
      setting('global-aws-sso-region', 'Region of IAM Identity Center.', { optional: true, example: 'eu-central-1' }),
    ],
  }),
  connector('baton-bamboohr', 'BambooHR', {
    reads: ['users'],
    provisions: [],
    settings: [
      setting('company-domain', 'Domain of the company in BambooHR.', { example: 'example' }),
      setting('api-key', 'API key.', secret),
    ],
  }),
  connector('baton-bitbucket', 'Bitbucket', {
    reads: ['workspaces', 'user groups', 'users', 'projects', 'repositories'],
    provisions: ['user groups', 'projects', 'repositories'],
    settings: [
      setting('token', 'Access token of a workspace or project.', secret),
      setting('username', 'User name of an administrator.'),
      setting('app-password', 'Application password of that user.', secret),
      setting('consumer-key', 'Key of an OAuth consumer.'),
      setting('consumer-secret', 'Secret of that OAuth consumer.', secret),
      setting('workspaces', 'Only these workspaces, by slug.', { ...aList, example: 'example,other' }),
    ],
    groups: [
      group('token', 'Access token', ['token'], true),
      group('app-password', 'Application password', ['username', 'app-password']),
      group('oauth', 'OAuth consumer', ['consumer-key', 'consumer-secret']),
    ],
  }),
  connector('baton-cloudflare', 'Cloudflare', {
    reads: ['users', 'roles', 'invitations', 'API tokens'],
    provisions: ['roles'],
    accounts: true,
    settings: [
      setting('account-id', 'Id of the account.'),
      setting('api-token', 'API token.', secret),
      setting('email-id', 'Email address of the user whose key is used.'),
      setting('api-key', 'Global API key of that user.', secret),
    ],
    groups: [
      group('api-token', 'API token', ['api-token'], true),
      group('api-key', 'Email address and API key', ['email-id', 'api-key']),
    ],
  }),
  connector('baton-confluence', 'Confluence', {
    reads: ['groups', 'spaces', 'space roles', 'users'],
    provisions: ['groups', 'spaces'],
    settings: [
      setting('domain-url', 'Address of the site.', { example: 'https://example.atlassian.net' }),
      setting('username', 'Email address of the user whose key is used.'),
      setting('api-key', 'API token of that user.', secret),
    ],
  }),
  connector('baton-databricks', 'Databricks', {
    reads: ['account', 'workspaces', 'groups', 'roles', 'service principals', 'users'],
    provisions: ['account', 'workspaces', 'groups', 'roles', 'service principals'],
    accounts: true,
    settings: [
      setting('account-id', 'Id of the account.'),
      setting('databricks-client-id', 'Client id of a service principal.'),
      setting('databricks-client-secret', 'OAuth secret of that service principal.', secret),
      setting('workspace-tokens', 'Personal access tokens, one for each workspace.', { ...secret, type: 'list' }),
      setting('workspaces', 'Only these workspaces, by deployment name; required with workspace-tokens.', aList),
      setting('hostname', 'Host of Databricks, if it is not the default one.', {
        optional: true,
        example: 'cloud.databricks.com',
      }),
    ],
    groups: [
      group('oauth2', 'Service principal', ['databricks-client-id', 'databricks-client-secret'], true),
      group('workspace-token', 'Personal access tokens of workspaces', ['workspace-tokens']),
    ],
  }),
  connector('baton-datadog', 'Datadog', {
    reads: ['users', 'teams', 'roles'],
    provisions: ['teams', 'roles'],
    settings: [
      setting('site', 'Datadog site of the account.', { example: 'datadoghq.eu' }),
      setting('api-key', 'API key.', secret),
      setting('app-key', 'Application key.', secret),
    ],
  }),
  connector('baton-demo', 'Demo (sample data for testing)', {
    reads: ['users', 'groups', 'roles', 'projects'],
    provisions: ['groups', 'roles'],
    accounts: true,
    settings: [
      setting('db-file', 'File for its data; in memory if not set.', {
        optional: true,
        example: '/var/lib/baton/demo.db',
      }),
      setting('init-db', 'Fill that file with sample data first.', yesOrNo),
    ],
  }),
  connector('baton-file', 'File (Excel, YAML or JSON)', {
    reads: ['users, resources, entitlements and grants of the file'],
    provisions: [],
    settings: [setting('input', 'Path of the file, which is read in each sync.', { example: '/srv/access.xlsx' })],
  }),
  connector('baton-github', 'GitHub', {
    reads: ['organizations', 'repositories', 'teams', 'users'],
    provisions: ['organizations', 'repositories', 'teams'],
    settings: [
      setting('token', 'Access token.', secret),
      setting('orgs', 'Only these organizations.', { ...aList, example: 'example' }),
      setting('instance-url', 'Address of GitHub Enterprise Server.', {
        optional: true,
        example: 'https://github.example.com',
      }),
    ],
  }),
  connector('baton-gitlab', 'GitLab', {
    reads: ['groups', 'projects', 'users'],
    provisions: ['groups', 'projects'],
    settings: [
      setting('access-token', 'Access token.', secret),
      setting('base-url', 'Address of the instance.', { optional: true, example: 'https://gitlab.example.com/' }),
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
  connector('baton-grafana', 'Grafana', {
    reads: ['organizations', 'users'],
    provisions: [],
    settings: [
      setting('hostname', 'Address of the instance.', { optional: true, example: 'https://grafana.example.com' }),
      setting('username', 'User name of an administrator.'),
      setting('password', 'Password of that user.', secret),
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
  connector('baton-hubspot', 'HubSpot', {
    reads: ['account', 'roles', 'teams', 'users'],
    provisions: ['roles', 'teams'],
    settings: [
      setting('token', 'Access token of a private app.', secret),
      setting('user-status', 'Read the status of users, which needs the scope crm.objects.users.read.', yesOrNo),
    ],
  }),
  connector('baton-jira', 'Jira', {
    reads: ['groups', 'projects', 'project roles', 'users'],
    provisions: ['groups', 'project roles'],
    accounts: true,
    settings: [
      setting('jira-url', 'Address of the site.', { example: 'https://example.atlassian.net' }),
      setting('jira-email', 'Email address of the user whose token is used.'),
      setting('jira-api-token', 'API token of that user.', secret),
    ],
  }),
  connector('baton-jumpcloud', 'JumpCloud', {
    reads: ['users', 'groups', 'roles', 'apps'],
    provisions: ['groups'],
    settings: [setting('api-key', 'API key.', secret), setting('org-id', 'Id of the organization.', optional)],
  }),
  connector('baton-kubernetes', 'Kubernetes', {
    reads: ['users', 'groups', 'service accounts', 'roles', 'cluster roles', 'namespaces', 'workloads'],
    provisions: [],
    settings: [
      setting('kubeconfig', 'Path of the kubeconfig file.', { optional: true, example: '/etc/baton/kubeconfig' }),
      setting('context', 'Context of that file.', optional),
      setting('server', 'Address of the API server, without a kubeconfig file.', {
        optional: true,
        example: 'https://10.0.0.1:6443',
      }),
      setting('token', 'Bearer token for that server.', { ...secret, optional: true }),
      setting('certificate-authority', 'Path of the certificate of the authority that signed the server’s.', optional),
      setting('namespace', 'Only this namespace.', optional),
    ],
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
  connector('baton-linear', 'Linear', {
    reads: ['organization', 'projects', 'roles', 'teams', 'users'],
    provisions: ['teams'],
    accounts: true,
    settings: [setting('api-key', 'Personal API key.', secret)],
  }),
  connector('baton-mongodb-atlas', 'MongoDB Atlas', {
    reads: ['organizations', 'projects', 'teams', 'users', 'clusters', 'database users'],
    provisions: ['organizations', 'projects', 'teams'],
    accounts: true,
    settings: [
      setting('public-key', 'Public key of an API key.'),
      setting('private-key', 'Private key of that API key.', secret),
      setting('enable-sync-databases', 'Read the users and roles of databases.', yesOrNo),
    ],
  }),
  connector('baton-mysql', 'MySQL', {
    reads: ['users', 'roles', 'servers', 'databases', 'tables', 'columns', 'routines'],
    provisions: ['roles', 'servers', 'databases', 'tables', 'columns', 'routines'],
    settings: [
      setting('connection-string', 'How to connect: user, password and address.', {
        ...secret,
        example: 'baton:PASSWORD@tcp(mysql.example.com:3306)/',
      }),
      setting('skip-database', 'Databases to skip.', aList),
      setting('expand-columns', 'Tables, as database.table, whose columns become separate entitlements.', aList),
      setting('collapse-users', 'Combine the users of all hosts into one.', yesOrNo),
    ],
  }),
  connector('baton-notion', 'Notion', {
    reads: ['users', 'groups (Enterprise plan)'],
    provisions: [],
    settings: [
      setting('api-key', 'API key of an integration.', secret),
      setting('scim-token', 'SCIM token, to read groups.', { ...secret, optional: true }),
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
  connector('baton-pagerduty', 'PagerDuty', {
    reads: ['users', 'teams', 'roles', 'schedules'],
    provisions: ['teams', 'roles'],
    settings: [setting('token', 'API access key.', secret)],
  }),
  connector('baton-postgresql', 'PostgreSQL', {
    reads: ['roles', 'databases', 'schemas', 'tables', 'views', 'sequences', 'functions', 'procedures'],
    provisions: ['roles', 'databases', 'tables', 'views', 'sequences', 'functions', 'procedures'],
    accounts: true,
    settings: [
      setting('dsn', 'How to connect: a connection URI with user and password.', {
        ...secret,
        example: 'postgresql://baton:PASSWORD@postgres.example.com:5432/app',
      }),
      setting('schemas', 'The schemas that are read; public by default.', { ...aList, example: 'public,sales' }),
      setting('sync-all-databases', 'Read all databases of the server.', yesOrNo),
      setting('include-columns', 'Read the privileges of columns, which may be many.', yesOrNo),
      setting('skip-built-in-functions', 'Skip the built-in functions of PostgreSQL.', yesOrNo),
    ],
  }),
  connector('baton-salesforce', 'Salesforce', {
    reads: ['users', 'groups', 'permission sets', 'permission set groups', 'profiles', 'roles', 'territories'],
    provisions: ['groups', 'permission sets', 'permission set groups', 'profiles', 'roles', 'territories'],
    accounts: true,
    settings: [
      setting('instance-url', 'Domain of the organization.', { example: 'example.my.salesforce.com' }),
      setting('salesforce-client-id', 'Consumer key of a connected app.'),
      setting('salesforce-client-secret', 'Consumer secret of that app.', secret),
      setting('salesforce-private-key', 'Private key of that app (PEM).', secret),
      setting('salesforce-jwt-subject', 'User that the connector acts as.'),
      setting('salesforce-username', 'User name.'),
      setting('salesforce-password', 'Password of that user.', secret),
      setting('security-token', 'Security token of that user.', { ...secret, optional: true }),
      setting('user-username-for-email', 'Use the user name as the email address.', yesOrNo),
    ],
    groups: [
      group('client-credentials', 'Client credentials', ['salesforce-client-id', 'salesforce-client-secret'], true),
      group('jwt-bearer', 'JWT bearer', ['salesforce-client-id', 'salesforce-private-key', 'salesforce-jwt-subject']),
      group('password', 'User name and password', ['salesforce-username', 'salesforce-password', 'security-token']),
    ],
  }),
  connector('baton-sentry', 'Sentry', {
    reads: ['organizations', 'projects', 'teams', 'users'],
    provisions: ['projects', 'teams'],
    accounts: true,
    settings: [setting('api-token', 'API token.', secret)],
  }),
  connector('baton-servicenow', 'ServiceNow', {
    reads: ['users', 'groups', 'roles'],
    provisions: ['groups', 'roles'],
    accounts: true,
    settings: [
      setting('deployment', 'Name of the instance.', { example: 'example' }),
      setting('username', 'User name of an administrator.'),
      setting('password', 'Password of that user.', secret),
      setting('allowed-domains', 'Only users with addresses of these domains.', { ...aList, example: 'example.com' }),
    ],
  }),
  connector('baton-slack', 'Slack', {
    reads: ['workspaces', 'workspace roles', 'users', 'user groups', 'groups of the identity provider'],
    provisions: ['groups of the identity provider'],
    settings: [
      setting('token', 'Token of a bot user.', secret),
      setting('business-plus-token', 'Token of a user, for the Admin API (Business+ or Enterprise Grid).', {
        ...secret,
        optional: true,
      }),
      setting('gov-env', 'Use GovSlack.', yesOrNo),
    ],
  }),
  connector('baton-snowflake', 'Snowflake', {
    reads: ['users', 'account roles', 'databases', 'tables', 'integrations', 'secrets'],
    provisions: ['account roles'],
    accounts: true,
    settings: [
      setting('account-url', 'Address of the account.', { example: 'https://example-account.snowflakecomputing.com' }),
      setting('account-identifier', 'Identifier of the account.', { example: 'EXAMPLE-ACCOUNT' }),
      setting('user-identifier', 'User that the connector signs in as.', { example: 'BATON' }),
      setting('private-key', 'Private key of that user (PEM, not encrypted).', secret),
      setting('excluded-databases', 'Databases to skip.', aList),
    ],
  }),
  connector('baton-sql', 'SQL (any database, with your own queries)', {
    reads: ['what its configuration file selects'],
    provisions: ['what its configuration file describes'],
    settings: [setting('config-path', 'Path of its configuration file (YAML).', { example: '/etc/baton/sql.yaml' })],
  }),
  connector('baton-sql-server', 'SQL Server', {
    reads: ['servers', 'server roles', 'databases', 'database roles', 'groups', 'users'],
    provisions: ['server roles', 'databases', 'database roles'],
    accounts: true,
    settings: [
      setting('dsn', 'How to connect: a connection string with user and password.', {
        ...secret,
        example: 'server=sql.example.com;user id=baton;password=PASSWORD;port=1433',
      }),
      setting('skip-unavailable-databases', 'Skip databases that are not available.', yesOrNo),
    ],
  }),
  connector('baton-tableau', 'Tableau', {
    reads: ['sites', 'users', 'groups', 'licenses'],
    provisions: ['groups'],
    settings: [
      setting('server-path', 'Host of the server or of Tableau Cloud.', {
        example: 'https://example.online.tableau.com',
      }),
      setting('site-id', 'Id of the site.', { example: 'example' }),
      setting('access-token-name', 'Name of a personal access token.'),
      setting('access-token-secret', 'Secret of that token.', secret),
      setting('api-version', 'Version of the API.', { optional: true, example: '3.17' }),
    ],
  }),
  connector('baton-zendesk', 'Zendesk', {
    reads: ['team members', 'groups', 'organizations', 'roles'],
    provisions: ['groups', 'organizations', 'roles'],
    settings: [
      setting('subdomain', 'Subdomain of the account.', { example: 'example' }),
      setting('email', 'Email address of the user whose token is used.'),
      setting('api-token', 'API token.', secret),
      setting('orgs', 'Only these organizations.', aList),
    ],
  }),
  connector('baton-zoom', 'Zoom', {
    reads: ['users', 'groups', 'contact groups', 'roles'],
    provisions: ['groups', 'roles'],
    settings: [
      setting('account-id', 'Id of the account.'),
      setting('zoom-client-id', 'Client id of a server-to-server OAuth app.'),
      setting('zoom-client-secret', 'Client secret of that app.', secret),
    ],
  }),
]
