import { may, type Plain } from '#authority/may.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads } from '#kernel/sql.ts'
import { countDrift } from '#rooms/governance/drift/index.ts'
import { listRecordsOnly } from '#rooms/governance/enforcement/index.ts'
import type { Scope, ScopeOf } from '../scope.ts'
import { countedMax, type Example, type ExampleType, type Found, shownMax, type Thing } from './findings.ts'
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
  /** Credentials that end before this time end soon. */
  soon: Date
  /** The same for access; the period that its list shows. */
  soonOfAccess: Date
  dayAgo: Date
  weekAgo: Date
  /** Tasks with a lesser id were created more than a week ago. */
  idOfWeekAgo: string
  seesEveryone: boolean
  /** The caller, and the service principals that they own. */
  ownIds: readonly string[]
}

/** One kind: who sees it, how it is found, and what its examples are. */
export type Check = {
  kind: Kind
  /** Null if the caller does not see it. */
  find: (asked: Asked) => Promise<Found> | null
  type: ExampleType
  /** Which thing an example is, if that is not always the one that was found; null if the caller cannot open it. */
  thingOf?: (example: Example, asked: Asked) => Thing | null
}

/** A kind of which a caller sees everything, or what they own. */
const within =
  (action: Plain, find: (asked: Asked, scope: Scope) => Promise<Found> | null): Check['find'] =>
  (asked) => {
    const scope = asked.scopeOf(action)
    return scope && find(asked, scope)
  }

/** A kind that only callers see who may see all of it. */
const whole =
  (action: Plain, find: (asked: Asked) => Promise<Found>): Check['find'] =>
  (asked) =>
    may(asked.call.actor, action) ? find(asked) : null

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
const window = ({ at, soon }: Asked): Window => ({ at, until: soon })

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

/** The apps about whose entitlements nobody is asked, those with the most first. */
async function findRecordsOnly({ db, call }: Asked, scope: Scope): Promise<Found> {
  const appIds = scope === 'all' ? null : scope.apps
  const apps = await listRecordsOnly(db, call, { appIds, limit: countedMax + 1 })
  const most = apps.toSorted((a, b) => b.nobody - a.nobody).slice(0, shownMax)
  return { count: apps.length, examples: most.map(({ id, name }) => ({ appId: id, id, name, about: '' })) }
}

export const checks: readonly Check[] = [
  {
    kind: 'ATTENTION_KIND_DECISIONS_WAITING',
    type: 'task',
    find: whole('tasks.act', ({ db, tenantId, call }) => findDecisions(db, tenantId, call.actor.userId)),
  },
  {
    kind: 'ATTENTION_KIND_RUNS_HELD',
    type: 'entitlement',
    find: within('rules.read', ({ db, tenantId }, scope) => findHeldRuns(db, tenantId, scope)),
  },
  {
    kind: 'ATTENTION_KIND_SYNCS_HELD',
    type: 'connector',
    find: within('apps.read', ({ db, tenantId }, scope) => findTroubledSyncs(db, tenantId, scope, ['held'])),
  },
  {
    kind: 'ATTENTION_KIND_DIRECTORIES_HELD',
    type: 'directory',
    find: whole('directories.read', ({ db, tenantId }) => findHeldDirectories(db, tenantId)),
  },
  {
    kind: 'ATTENTION_KIND_LEAVERS_WITH_ACCESS',
    type: 'user',
    // Names of everyone only for callers who see everyone; owners see those who hold what they own.
    find: within('grants.read', ({ db, tenantId, at, seesEveryone }, scope) =>
      scope === 'all' && !seesEveryone ? null : findLeavers(db, tenantId, scope, at),
    ),
    // A deleted user has no page any more.
    thingOf: ({ appId: living, id }, { seesEveryone }) =>
      seesEveryone && living ? { type: 'user', id, appId: '' } : null,
  },
  {
    kind: 'ATTENTION_KIND_RULES_FAILING',
    type: 'entitlement',
    find: within('rules.read', ({ db, tenantId }, scope) => findFailingRules(db, tenantId, scope)),
  },
  {
    kind: 'ATTENTION_KIND_SYNCS_FAILING',
    type: 'connector',
    find: within('apps.read', ({ db, tenantId }, scope) =>
      findTroubledSyncs(db, tenantId, scope, ['failed', 'unknown']),
    ),
  },
  {
    kind: 'ATTENTION_KIND_DIRECTORIES_FAILING',
    type: 'directory',
    find: whole('directories.read', ({ db, tenantId, dayAgo }) => findFailingDirectories(db, tenantId, dayAgo)),
  },
  {
    kind: 'ATTENTION_KIND_TASKS_STUCK',
    type: 'task',
    find: whole('tasks.read', ({ db, tenantId }) => findStuckTasks(db, tenantId)),
  },
  {
    kind: 'ATTENTION_KIND_JOBS_STUCK',
    type: 'job',
    find: whole('jobs.read', ({ db, tenantId }) => findStuckJobs(db, tenantId)),
  },
  {
    kind: 'ATTENTION_KIND_EXPORTS_FAILING',
    type: 'export',
    find: whole('exports.read', ({ db, tenantId }) => findFailingExports(db, tenantId)),
  },
  {
    kind: 'ATTENTION_KIND_SUBSCRIPTIONS_FAILING',
    type: 'subscription',
    find: whole('subscriptions.read', ({ db, tenantId }) => findFailingSubscriptions(db, tenantId)),
  },
  {
    kind: 'ATTENTION_KIND_WEBHOOKS_FAILING',
    type: 'webhook',
    find: whole('webhooks.read', ({ db, tenantId, weekAgo }) => findFailingWebhooks(db, tenantId, weekAgo)),
  },
  {
    kind: 'ATTENTION_KIND_NOTIFICATIONS_NOT_SENT',
    type: 'notification',
    find: whole('notifications.read', ({ db, tenantId, weekAgo }) => findUnsentMessages(db, tenantId, weekAgo)),
  },
  {
    kind: 'ATTENTION_KIND_CLOCK_NOT_TRUSTED',
    type: 'clock',
    find: whole('jobs.read', async ({ call: { clock } }) => ({
      count: clock?.doubt ? 1 : 0,
      examples: clock?.doubt ? [{ appId: '', id: '', name: sentence(clock.doubt), about: '' }] : [],
    })),
  },
  {
    kind: 'ATTENTION_KIND_CONNECTOR_CREDENTIALS_EXPIRING',
    type: 'connector',
    find: within('apps.read', (asked, scope) =>
      findEndingConnectorCredentials(asked.db, asked.tenantId, scope, window(asked)),
    ),
  },
  {
    kind: 'ATTENTION_KIND_DIRECTORY_TOKENS_EXPIRING',
    type: 'directory',
    find: whole('directories.read', (asked) => findEndingDirectoryTokens(asked.db, asked.tenantId, window(asked))),
  },
  {
    kind: 'ATTENTION_KIND_CREDENTIALS_EXPIRING',
    type: 'credential',
    find(asked) {
      const { db, tenantId, call, seesEveryone, ownIds } = asked
      if (isOfEveryone(asked))
        return findEndingCredentials(db, tenantId, 'all', { ...window(asked), namesPeople: seesEveryone })
      if (!may(call.actor, 'own-credentials.read')) return null
      return findEndingCredentials(db, tenantId, ownIds, { ...window(asked), namesPeople: true })
    },
    // For a service principal, `appId` has the id of the principal.
    thingOf: ({ appId: principalId, id }) =>
      principalId ? { type: 'principal', id: principalId, appId: '' } : { type: 'credential', id, appId: '' },
  },
  {
    kind: 'ATTENTION_KIND_CHANGES_WAITING',
    type: 'task',
    find: whole('tasks.read', ({ db, tenantId }) => findWaitingChanges(db, tenantId)),
  },
  {
    kind: 'ATTENTION_KIND_REQUESTS_WAITING',
    type: 'task',
    find: whole('tasks.read', ({ db, tenantId, idOfWeekAgo }) => findOldTasks(db, tenantId, idOfWeekAgo)),
  },
  {
    kind: 'ATTENTION_KIND_ENTITLEMENTS_WITHOUT_APPROVER',
    type: 'entitlement',
    find: whole('policies.read', ({ db, tenantId }) => findWithoutApprover(db, tenantId)),
  },
  {
    kind: 'ATTENTION_KIND_DRIFT',
    type: 'app',
    find: whole('grants.read', findDrift),
  },
  {
    kind: 'ATTENTION_KIND_ACCOUNTS_WITHOUT_OWNER',
    type: 'account',
    find: within('accounts.read', ({ db, tenantId }, scope) => findOrphans(db, tenantId, scope)),
  },
  {
    kind: 'ATTENTION_KIND_DIRECTORY_CONFLICTS',
    type: 'directory',
    find: whole('directories.read', ({ db, tenantId }) => findConflicts(db, tenantId)),
    thingOf: ({ appId }) => ({ type: 'directory', id: appId, appId }),
  },
  {
    kind: 'ATTENTION_KIND_RULES_PAUSED',
    type: 'entitlement',
    find: within('rules.read', ({ db, tenantId }, scope) => findPausedRules(db, tenantId, scope)),
  },
  {
    kind: 'ATTENTION_KIND_MAIL_NOT_CONFIGURED',
    type: 'notification',
    find: whole('notifications.read', async ({ call }) => ({ count: call.settings.mail ? 0 : 1, examples: [] })),
  },
  {
    kind: 'ATTENTION_KIND_APPS_RECORDS_ONLY',
    type: 'app',
    find: within('apps.read', findRecordsOnly),
  },
  {
    kind: 'ATTENTION_KIND_APPS_WITHOUT_OWNER',
    type: 'app',
    find: whole('owners.read', ({ db, tenantId }) => findAppsWithoutOwner(db, tenantId)),
  },
  {
    kind: 'ATTENTION_KIND_ENTITLEMENTS_WITHOUT_OWNER',
    type: 'entitlement',
    find: within('owners.read', ({ db, tenantId }, scope) => findEntitlementsWithoutOwner(db, tenantId, scope)),
  },
  {
    kind: 'ATTENTION_KIND_ACCESS_ENDING',
    type: 'entitlement',
    find: within('grants.read', (asked, scope) =>
      findEndingAccess(asked.db, asked.tenantId, scope, {
        at: asked.at,
        until: asked.soonOfAccess,
        namesPeople: scope !== 'all' || asked.seesEveryone,
      }),
    ),
  },
]

const isOfEveryone = ({ call }: Asked): boolean => may(call.actor, 'credentials.read')
