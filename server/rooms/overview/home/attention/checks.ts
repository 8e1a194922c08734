import { may, type Plain } from '#authority/may.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads } from '#kernel/sql.ts'
import { countDrift } from '#rooms/governance/drift/index.ts'
import type { Scope, ScopeOf } from '../scope.ts'
import { countedMax, type Example, type Found, shownMax } from './found.ts'
import type { Kind } from './kinds.ts'
import { findEndingAccess, findLeavers, findOrphans } from './store/access.ts'
import {
  findConflicts,
  findFailingDirectories,
  findFailingExports,
  findFailingSubscriptions,
  findFailingWebhooks,
  findHeldDirectories,
  findStuckJobs,
  findTroubledSyncs,
  findUnsentMessages,
} from './store/connections.ts'
import {
  findEndingConnectorCredentials,
  findEndingCredentials,
  findEndingDirectoryTokens,
  type Window,
} from './store/credentials.ts'
import { findAppsWithoutOwner, findEntitlementsWithoutOwner } from './store/ownership.ts'
import {
  findDecisions,
  findOldTasks,
  findStuckTasks,
  findWaitingChanges,
  findWithoutApprover,
} from './store/requests.ts'
import { findFailingRules, findHeldRuns, findPausedRules } from './store/rules.ts'

export type Asked = {
  db: Reads
  call: Call
  tenantId: number
  scopeOf: ScopeOf
  at: Date
  /** Credentials that end before this end soon. */
  soon: Date
  /** And access; as far ahead as its list looks. */
  soonOfAccess: Date
  dayAgo: Date
  weekAgo: Date
  /** Tasks with a lesser id were created more than a week ago. */
  idOfWeekAgo: string
  seesEveryone: boolean
  /** The caller, and the service principals that they own. */
  ownIds: readonly string[]
}

/** One kind: who is told of it, how it is found, and where in the console it is dealt with. */
export type Check = {
  kind: Kind
  /** Null where the caller is not told of it. */
  find: (asked: Asked) => Promise<Found> | null
  path: (asked: Asked) => string
  pathOf: (example: Example, asked: Asked) => string
}

/** A kind of which a caller is told all, or what they own. */
const within =
  (action: Plain, find: (asked: Asked, scope: Scope) => Promise<Found> | null): Check['find'] =>
  (asked) => {
    const scope = asked.scopeOf(action)
    return scope && find(asked, scope)
  }

/** A kind of which only those are told who may see all of it. */
const whole =
  (action: Plain, find: (asked: Asked) => Promise<Found>): Check['find'] =>
  (asked) =>
    may(asked.call.actor, action) ? find(asked) : null

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
const to = (path: string) => (): string => path
const window = ({ at, soon }: Asked): Window => ({ at, until: soon })

const entitlement = ({ appId, id }: Example): string => `/apps/${appId}/entitlements/${id}`
const rule = (example: Example): string => `${entitlement(example)}/automation`
const connector = ({ appId, id }: Example): string => `/apps/${appId}/connectors/${id}`
const directory = ({ appId }: Example): string => `/directories/${appId}`
const task = ({ id }: Example): string => `/tasks/${id}`

async function findDrift({ db, tenantId, at }: Asked): Promise<Found> {
  const counted = await countDrift(db, tenantId, countedMax + 1, at)
  const apps = counted
    .map(({ appId, appName, unexplained, missing }) => ({ appId, name: appName, count: unexplained + missing }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
  return {
    count: apps.reduce((sum, { count }) => sum + count, 0),
    examples: apps
      .slice(0, shownMax)
      .map(({ appId, name, count }) => ({ appId, id: appId, name, about: String(count) })),
  }
}

export const checks: readonly Check[] = [
  {
    kind: 'ATTENTION_KIND_DECISIONS_WAITING',
    find: whole('tasks.act', ({ db, tenantId, call }) => findDecisions(db, tenantId, call.actor.userId)),
    path: to('/decide'),
    pathOf: task,
  },
  {
    kind: 'ATTENTION_KIND_RUNS_HELD',
    find: within('rules.read', ({ db, tenantId }, scope) => findHeldRuns(db, tenantId, scope)),
    path: to('/rules?state=paused'),
    pathOf: rule,
  },
  {
    kind: 'ATTENTION_KIND_SYNCS_HELD',
    find: within('apps.read', ({ db, tenantId }, scope) => findTroubledSyncs(db, tenantId, scope, ['held'])),
    path: to('/connectors'),
    pathOf: connector,
  },
  {
    kind: 'ATTENTION_KIND_DIRECTORIES_HELD',
    find: whole('directories.read', ({ db, tenantId }) => findHeldDirectories(db, tenantId)),
    path: to('/directories'),
    pathOf: directory,
  },
  {
    kind: 'ATTENTION_KIND_LEAVERS_WITH_ACCESS',
    // By name: of everyone only to those who see everyone; owners see those who hold what they own.
    find: within('grants.read', ({ db, tenantId, at, seesEveryone }, scope) =>
      scope === 'all' && !seesEveryone ? null : findLeavers(db, tenantId, scope, at),
    ),
    path: to('/grants?leavers=yes'),
    // Who was deleted has no page any more.
    pathOf: ({ appId: living, id }, { seesEveryone }) => (seesEveryone && living ? `/users/${id}` : ''),
  },
  {
    kind: 'ATTENTION_KIND_RULES_FAILING',
    find: within('rules.read', ({ db, tenantId }, scope) => findFailingRules(db, tenantId, scope)),
    path: to('/rules?state=failing'),
    pathOf: (example) => `${entitlement(example)}/runs`,
  },
  {
    kind: 'ATTENTION_KIND_SYNCS_FAILING',
    find: within('apps.read', ({ db, tenantId }, scope) =>
      findTroubledSyncs(db, tenantId, scope, ['failed', 'unknown']),
    ),
    path: to('/connectors'),
    pathOf: connector,
  },
  {
    kind: 'ATTENTION_KIND_DIRECTORIES_FAILING',
    find: whole('directories.read', ({ db, tenantId, dayAgo }) => findFailingDirectories(db, tenantId, dayAgo)),
    path: to('/directories'),
    pathOf: directory,
  },
  {
    kind: 'ATTENTION_KIND_TASKS_STUCK',
    find: whole('tasks.read', ({ db, tenantId }) => findStuckTasks(db, tenantId)),
    path: to('/tasks?state=stuck'),
    pathOf: task,
  },
  {
    kind: 'ATTENTION_KIND_JOBS_STUCK',
    find: whole('jobs.read', ({ db, tenantId }) => findStuckJobs(db, tenantId)),
    path: to('/jobs?state=stuck'),
    pathOf: to('/jobs?state=stuck'),
  },
  {
    kind: 'ATTENTION_KIND_EXPORTS_FAILING',
    find: whole('exports.read', ({ db, tenantId }) => findFailingExports(db, tenantId)),
    path: to('/log/exports'),
    pathOf: ({ id }) => `/log/exports/${id}`,
  },
  {
    kind: 'ATTENTION_KIND_SUBSCRIPTIONS_FAILING',
    find: whole('subscriptions.read', ({ db, tenantId }) => findFailingSubscriptions(db, tenantId)),
    path: to('/subscriptions'),
    pathOf: ({ id }) => `/subscriptions/${id}`,
  },
  {
    kind: 'ATTENTION_KIND_WEBHOOKS_FAILING',
    find: whole('webhooks.read', ({ db, tenantId, weekAgo }) => findFailingWebhooks(db, tenantId, weekAgo)),
    path: to('/webhooks'),
    pathOf: ({ id }) => `/webhooks/${id}`,
  },
  {
    kind: 'ATTENTION_KIND_NOTIFICATIONS_NOT_SENT',
    find: whole('notifications.read', ({ db, tenantId, weekAgo }) => findUnsentMessages(db, tenantId, weekAgo)),
    path: to('/settings/organisation-notifications'),
    pathOf: to('/settings/organisation-notifications'),
  },
  {
    kind: 'ATTENTION_KIND_CLOCK_NOT_TRUSTED',
    find: whole('jobs.read', async ({ call: { clock } }) => ({
      count: clock?.doubt ? 1 : 0,
      examples: clock?.doubt ? [{ appId: '', id: '', name: sentence(clock.doubt), about: '' }] : [],
    })),
    path: to('/grants?ends=30d'),
    pathOf: to(''),
  },
  {
    kind: 'ATTENTION_KIND_CONNECTOR_CREDENTIALS_EXPIRING',
    find: within('apps.read', (asked, scope) =>
      findEndingConnectorCredentials(asked.db, asked.tenantId, scope, window(asked)),
    ),
    path: to('/connectors'),
    pathOf: connector,
  },
  {
    kind: 'ATTENTION_KIND_DIRECTORY_TOKENS_EXPIRING',
    find: whole('directories.read', (asked) => findEndingDirectoryTokens(asked.db, asked.tenantId, window(asked))),
    path: to('/directories'),
    pathOf: directory,
  },
  {
    kind: 'ATTENTION_KIND_CREDENTIALS_EXPIRING',
    find(asked) {
      const { db, tenantId, call, seesEveryone, ownIds } = asked
      if (isOfEveryone(asked))
        return findEndingCredentials(db, tenantId, 'all', { ...window(asked), namesPeople: seesEveryone })
      if (!may(call.actor, 'own-credentials.read')) return null
      return findEndingCredentials(db, tenantId, ownIds, { ...window(asked), namesPeople: true })
    },
    path: (asked) => (isOfEveryone(asked) ? '/settings/everyone' : '/settings/credentials'),
    // Of a service principal it holds whose it is.
    pathOf: ({ appId: principalId }, asked) =>
      principalId ? `/principals/${principalId}` : isOfEveryone(asked) ? '/settings/everyone' : '/settings/credentials',
  },
  {
    kind: 'ATTENTION_KIND_CHANGES_WAITING',
    find: whole('tasks.read', ({ db, tenantId }) => findWaitingChanges(db, tenantId)),
    path: to('/tasks?state=open'),
    pathOf: task,
  },
  {
    kind: 'ATTENTION_KIND_REQUESTS_WAITING',
    find: whole('tasks.read', ({ db, tenantId, idOfWeekAgo }) => findOldTasks(db, tenantId, idOfWeekAgo)),
    path: to('/tasks?state=open&step=approval&order=oldest'),
    pathOf: task,
  },
  {
    kind: 'ATTENTION_KIND_ENTITLEMENTS_WITHOUT_APPROVER',
    find: whole('policies.read', ({ db, tenantId }) => findWithoutApprover(db, tenantId)),
    path: to('/policies/unanswerable'),
    pathOf: (example) => `${entitlement(example)}/requests`,
  },
  {
    kind: 'ATTENTION_KIND_DRIFT',
    find: whole('grants.read', findDrift),
    path: to('/drift'),
    pathOf: ({ appId }) => `/drift?app=${appId}`,
  },
  {
    kind: 'ATTENTION_KIND_ACCOUNTS_WITHOUT_OWNER',
    find: within('accounts.read', ({ db, tenantId }, scope) => findOrphans(db, tenantId, scope)),
    path: to('/accounts?owner=none'),
    pathOf: ({ appId, id }) => `/apps/${appId}/accounts/${id}`,
  },
  {
    kind: 'ATTENTION_KIND_DIRECTORY_CONFLICTS',
    find: whole('directories.read', ({ db, tenantId }) => findConflicts(db, tenantId)),
    path: to('/directories'),
    pathOf: directory,
  },
  {
    kind: 'ATTENTION_KIND_RULES_PAUSED',
    find: within('rules.read', ({ db, tenantId }, scope) => findPausedRules(db, tenantId, scope)),
    path: to('/rules?state=paused'),
    pathOf: rule,
  },
  {
    kind: 'ATTENTION_KIND_MAIL_NOT_CONFIGURED',
    find: whole('notifications.read', async ({ call }) => ({ count: call.settings.mail ? 0 : 1, examples: [] })),
    path: to('/settings/organisation-notifications'),
    pathOf: to(''),
  },
  {
    kind: 'ATTENTION_KIND_APPS_WITHOUT_OWNER',
    find: whole('owners.read', ({ db, tenantId }) => findAppsWithoutOwner(db, tenantId)),
    path: to('/apps?owner=none'),
    pathOf: ({ appId }) => `/apps/${appId}/owners`,
  },
  {
    kind: 'ATTENTION_KIND_ENTITLEMENTS_WITHOUT_OWNER',
    find: within('owners.read', ({ db, tenantId }, scope) => findEntitlementsWithoutOwner(db, tenantId, scope)),
    path: to('/entitlements?owner=none'),
    pathOf: (example) => `${entitlement(example)}/owners`,
  },
  {
    kind: 'ATTENTION_KIND_ACCESS_ENDING',
    find: within('grants.read', (asked, scope) =>
      findEndingAccess(asked.db, asked.tenantId, scope, {
        at: asked.at,
        until: asked.soonOfAccess,
        namesPeople: scope !== 'all' || asked.seesEveryone,
      }),
    ),
    path: to('/grants?ends=30d'),
    pathOf: entitlement,
  },
]

const isOfEveryone = ({ call }: Asked): boolean => may(call.actor, 'credentials.read')
