import type { Cell } from '#kernel/csv.ts'
import type { Column, Json, List } from './list.ts'

const at = (item: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>((value, name) => (value as Json | null | undefined)?.[name], item)

const cellOf = (value: unknown): Cell =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null

const column = (header: string, ...names: readonly string[]): Column => ({
  header,
  value: (item) => cellOf(at(item, ...names)),
})

/** `STATUS_ENABLED` as `Enabled`, `APP_USER_TYPE_SERVICE_ACCOUNT` as `Service account`. */
function wordOf(value: unknown, prefix: string): string {
  const name = typeof value === 'string' ? value : ''
  const bare = (name.startsWith(prefix) ? name.slice(prefix.length) : name).replaceAll('_', ' ').toLowerCase()
  return bare === '' || bare === 'unspecified' ? '' : `${bare[0]?.toUpperCase()}${bare.slice(1)}`
}
const word = (header: string, prefix: string, ...names: readonly string[]): Column => ({
  header,
  value: (item) => wordOf(at(item, ...names), prefix),
})

const number = (header: string, ...names: readonly string[]): Column => ({
  header,
  value: (item) => {
    const value = at(item, ...names)
    return value === undefined || value === null || value === '' ? null : Number(value)
  },
})

const sourceWords: Readonly<Record<string, string>> = {
  manual: 'Manual',
  import: 'Import',
  rule: 'Rule',
  request: 'Request',
  profile: 'Access profile',
  directory: 'Directory',
}

const accountName = (account: unknown): Cell =>
  cellOf(
    ['displayName', 'username', 'email', 'id'].map((name) => at(account, name)).find((value) => value !== '') ?? '',
  )

const taskKinds = ['grant', 'revoke', 'offboarding'] as const
const kindOfTask = (task: unknown): string => taskKinds.find((kind) => at(task, 'type', kind)) ?? 'change'

/** `P0DT28800S` and the like are for programs: hours and days are for people. */
const durationOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The columns have the names and the order of the console; after them come those that distinguish rows. */
export const lists: readonly List[] = [
  {
    id: 'Users',
    path: '/users',
    name: 'users',
    operation: 'user.v1.UserSearch.Search',
    expand: ['managerIds'],
    columns: [
      column('Name', 'user', 'displayName'),
      column('Email', 'user', 'email'),
      column('Job title', 'user', 'jobTitle'),
      column('Department', 'user', 'department'),
      {
        header: 'Manager',
        value: (item, { userName }) => {
          const ids = at(item, 'user', 'managerIds')
          return Array.isArray(ids) ? ids.map(userName).filter(Boolean).join('; ') : ''
        },
      },
      word('Type', 'USER_TYPE_', 'user', 'type'),
      word('Status', '', 'user', 'status'),
      column('Employment status', 'user', 'employmentStatus'),
      column('Created', 'user', 'createdAt'),
      column('ID', 'user', 'id'),
    ],
  },
  {
    id: 'Accounts',
    path: '/accounts',
    name: 'accounts',
    operation: 'app.v1.AppUserService.Search',
    expand: ['identityUserId', 'appId'],
    columns: [
      { header: 'Account', value: (item) => accountName(at(item, 'appUser')) },
      column('Username', 'appUser', 'username'),
      column('Email', 'appUser', 'email'),
      {
        header: 'App',
        value: (item, { neighbour }) => cellOf(at(neighbour(at(item, 'appPath')), 'displayName')),
      },
      {
        header: 'User',
        value: (item, { userName }) => userName(at(item, 'appUser', 'identityUserId')),
      },
      word('Type', 'APP_USER_TYPE_', 'appUser', 'appUserType'),
      word('Status', 'STATUS_', 'appUser', 'status', 'status'),
      column('Created', 'appUser', 'createdAt'),
      column('App ID', 'appUser', 'appId'),
      column('User ID', 'appUser', 'identityUserId'),
      column('ID', 'appUser', 'id'),
    ],
  },
  {
    id: 'Entitlements',
    path: '/entitlements',
    name: 'entitlements',
    operation: 'app.v1.AppEntitlementSearchService.Search',
    expand: ['appId', 'appResourceId'],
    columns: [
      column('Entitlement', 'appEntitlement', 'displayName'),
      column('Description', 'appEntitlement', 'description'),
      { header: 'App', value: (item, { neighbour }) => cellOf(at(neighbour(at(item, 'appPath')), 'displayName')) },
      {
        header: 'Resource',
        value: (item, { neighbour }) => cellOf(at(neighbour(at(item, 'appResourcePath')), 'displayName')),
      },
      word('Kind', 'APP_ENTITLEMENT_PURPOSE_VALUE_', 'appEntitlement', 'purpose'),
      { header: 'Risk', value: (item, { riskLevel }) => riskLevel(at(item, 'appEntitlement', 'riskLevelValueId')) },
      { header: 'Duration', value: (item) => durationOf(at(item, 'appEntitlement', 'durationGrant')) },
      number('Members', 'appEntitlement', 'grantCount'),
      column('Created', 'appEntitlement', 'createdAt'),
      column('App ID', 'appEntitlement', 'appId'),
      column('ID', 'appEntitlement', 'id'),
    ],
  },
  {
    id: 'Apps',
    path: '/apps',
    name: 'apps',
    operation: 'app.v1.AppSearch.Search',
    expand: [],
    columns: [
      column('App', 'displayName'),
      column('Description', 'description'),
      { header: 'Source', value: (item) => (at(item, 'isManuallyManaged') ? 'Manual' : 'Import') },
      number('Accounts', 'userCount'),
      column('Created', 'createdAt'),
      column('ID', 'id'),
    ],
  },
  {
    id: 'Members',
    path: '/apps/{app_id}/entitlements/{app_entitlement_id}/members',
    name: 'members',
    operation: 'app.v1.AppEntitlements.ListUsers',
    expand: [],
    columns: [
      { header: 'Member', value: (item) => accountName(at(item, 'appUser', 'appUser')) },
      column('Account', 'appUser', 'appUser', 'username'),
      column('Email', 'appUser', 'appUser', 'email'),
      {
        header: 'Source',
        value: (item) => {
          const reasons = at(item, 'grantReasons')
          const sources = Array.isArray(reasons) ? reasons.map((reason) => String(at(reason, 'derivedIdType'))) : []
          return [...new Set(sources)].map((source) => sourceWords[source] ?? source).join('; ')
        },
      },
      column('Since', 'appEntitlementUserBindingCreatedAt'),
      column('Expires', 'appEntitlementUserBindingDeprovisionAt'),
      column('User ID', 'appUser', 'appUser', 'identityUserId'),
      column('Account ID', 'appUserId'),
    ],
  },
  {
    id: 'Tasks',
    path: '/tasks',
    name: 'tasks',
    operation: 'task.v1.TaskSearchService.Search',
    expand: ['appId', 'userId', 'createdByUserId'],
    columns: [
      number('Number', 'task', 'numericId'),
      column('Request', 'task', 'displayName'),
      { header: 'Kind', value: (item) => wordOf(kindOfTask(at(item, 'task')), '') },
      { header: 'For', value: (item, { userName }) => userName(at(item, 'task', 'userId')) },
      { header: 'Requested by', value: (item, { userName }) => userName(at(item, 'task', 'createdByUserId')) },
      word('State', 'TASK_STATE_', 'task', 'state'),
      {
        header: 'Outcome',
        value: (item) => {
          const task = at(item, 'task')
          return wordOf(
            at(task, 'type', kindOfTask(task), 'outcome'),
            kindOfTask(task) === 'revoke' ? 'REVOKE_OUTCOME_' : 'GRANT_OUTCOME_',
          )
        },
      },
      column('Created', 'task', 'createdAt'),
      column('ID', 'task', 'id'),
    ],
  },
  {
    id: 'Runs',
    path: '/apps/{app_id}/entitlements/{app_entitlement_id}/automation/runs',
    name: 'runs',
    operation: 'app.v1.AppEntitlements.ListAutomationRuns',
    expand: [],
    columns: [
      column('Started', 'startedAt'),
      column('Finished', 'finishedAt'),
      word('Cause', 'AUTOMATION_RUN_CAUSE_', 'cause'),
      number('Rule version', 'ruleVersion'),
      number('Matched', 'matchedCount'),
      number('Excluded', 'excludedCount'),
      number('Failed', 'failedCount'),
      number('Added', 'gainedCount'),
      number('Removed', 'lostCount'),
      word('Status', 'AUTOMATION_RUN_STATUS_', 'status'),
      column('ID', 'id'),
    ],
  },
  {
    id: 'Imports',
    path: '/imports',
    name: 'imports',
    operation: 'import.v1.ImportService.List',
    expand: [],
    columns: [
      column('Finished', 'finishedAt'),
      column('By', 'userName'),
      { header: 'Extent', value: (item) => (at(item, 'isFull') ? 'Full' : 'Partial') },
      column('Format', 'format'),
      number('Lines', 'lineCount'),
      {
        header: 'Changes',
        value: (item) => {
          const counts = at(item, 'counts')
          if (!Array.isArray(counts)) return ''
          return counts
            .map(
              (each) =>
                `${String(at(each, 'kind'))}: ${['added', 'changed', 'removed'].map((name) => `${String(at(each, name))} ${name}`).join(', ')}`,
            )
            .join('; ')
        },
      },
      column('ID', 'id'),
    ],
  },
  {
    id: 'Grants',
    path: '/grants',
    name: 'grants',
    operation: 'bailiwick.v1.Grants.List',
    expand: [],
    columns: [
      column('Entitlement', 'appEntitlementDisplayName'),
      column('App', 'appDisplayName'),
      column('User', 'userDisplayName'),
      word('User status', '', 'userStatus'),
      column('Account', 'appUserDisplayName'),
      word('Source', 'GRANT_SOURCE_', 'source'),
      column('Granted', 'grantedAt'),
      column('Expires', 'expiresAt'),
      column('App ID', 'appId'),
      column('Entitlement ID', 'appEntitlementId'),
      column('User ID', 'userId'),
      column('Account ID', 'appUserId'),
      column('ID', 'id'),
    ],
  },
  {
    id: 'Rules',
    path: '/rules',
    name: 'rules',
    operation: 'bailiwick.v1.Rules.List',
    expand: [],
    columns: [
      column('Entitlement', 'appEntitlementDisplayName'),
      column('App', 'appDisplayName'),
      column('Rule', 'displayName'),
      column('Expression', 'expression'),
      word('State', 'RULE_STATE_', 'state'),
      word('Last run', '', 'lastRunStatus'),
      column('Last run at', 'lastRunAt'),
      number('Added', 'lastGainedCount'),
      number('Removed', 'lastLostCount'),
      column('Next run', 'nextRunAt'),
      column('App ID', 'appId'),
      column('Entitlement ID', 'appEntitlementId'),
    ],
  },
]
