import { aList, connector, group, secret, setting, yesOrNo } from './connector.ts'
import type { CatalogEntry } from './entry.ts'

/** Applications for work, source code and customers. */
export const applicationConnectors: readonly CatalogEntry[] = [
  connector('baton-asana', 'Asana', {
    reads: ['workspaces', 'teams', 'users'],
    provisions: ['workspaces', 'teams'],
    settings: [setting('token', 'Personal access token.', secret)],
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
  connector('baton-confluence', 'Confluence', {
    reads: ['groups', 'spaces', 'space roles', 'users'],
    provisions: ['groups', 'spaces'],
    settings: [
      setting('domain-url', 'Address of the site.', { example: 'https://example.atlassian.net' }),
      setting('username', 'Email address of the user whose key is used.'),
      setting('api-key', 'API token of that user.', secret),
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
  connector('baton-linear', 'Linear', {
    reads: ['organization', 'projects', 'roles', 'teams', 'users'],
    provisions: ['teams'],
    accounts: true,
    settings: [setting('api-key', 'Personal API key.', secret)],
  }),
  connector('baton-notion', 'Notion', {
    reads: ['users', 'groups (Enterprise plan)'],
    provisions: [],
    settings: [
      setting('api-key', 'API key of an integration.', secret),
      setting('scim-token', 'SCIM token, to read groups.', { ...secret, optional: true }),
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
