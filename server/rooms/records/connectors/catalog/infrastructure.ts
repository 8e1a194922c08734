import { aList, connector, group, optional, secret, setting, yesOrNo } from './connector.ts'
import type { CatalogEntry } from './entry.ts'

/** Clouds, databases and monitoring. */
export const infrastructureConnectors: readonly CatalogEntry[] = [
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
  connector('baton-grafana', 'Grafana', {
    reads: ['organizations', 'users'],
    provisions: [],
    settings: [
      setting('hostname', 'Address of the instance.', { optional: true, example: 'https://grafana.example.com' }),
      setting('username', 'User name of an administrator.'),
      setting('password', 'Password of that user.', secret),
    ],
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
  connector('baton-sentry', 'Sentry', {
    reads: ['organizations', 'projects', 'teams', 'users'],
    provisions: ['projects', 'teams'],
    accounts: true,
    settings: [setting('api-token', 'API token.', secret)],
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
]
