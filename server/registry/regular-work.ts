import { isAbsence } from '#database/presence.ts'
import { forgetKeys } from '#http/guards/idempotency.ts'
import { deleteFullBudgets } from '#kernel/budget-store.ts'
import type { Dispatch } from '#kernel/dispatch.ts'
import { looseBudgets } from '#kernel/shared-budget.ts'
import type { Again, Wakes } from '#kernel/wakes.ts'
import type { World } from '#kernel/world.ts'
import { findNextExport, startExports, startRetention } from '#rooms/events/exports/index.ts'
import {
  forgetDeliveries as forgetEventDeliveries,
  sealPlainUrls as sealUrlsOfSubscriptions,
  subscriptionTotals,
} from '#rooms/events/subscriptions/index.ts'
import {
  endUnanswered,
  findNextUnanswered,
  forgetDeliveries,
  sealPlainUrls as sealUrlsOfWebhooks,
  sendWebhooks,
} from '#rooms/events/webhooks/index.ts'
import { jobTotals } from '#rooms/foundation/jobs/index.ts'
import {
  alerts,
  chainEnds,
  checkSealed,
  denials,
  keepHeads,
  refreshFloor,
  sealAll,
  verifying,
  witnesses,
} from '#rooms/foundation/systemlog/index.ts'
import { attemptNotes, forgetAttempts } from '#rooms/governance/federation/index.ts'
import {
  findNextToGather,
  gatherDue,
  noticeAhead,
  noticeLogged,
  sendChats,
  sendMails,
  skipUntold,
  tidyMessages,
} from '#rooms/governance/notifications/index.ts'
import { noticeEnrollments } from '#rooms/governance/profiles/index.ts'
import { checkAnswerable, endRequested, recheckOpenTasks } from '#rooms/governance/tasks/index.ts'
import { deleteExpiredRevocations, lastUsed } from '#rooms/identity/credentials/index.ts'
import { forgetEnded, lastSeen } from '#rooms/identity/sessions/index.ts'
import { deleteExpiredAssertions, deleteForgottenRequests, forgetExpired } from '#rooms/identity/tokens/index.ts'
import {
  carryToConnectors,
  endLapsedLeases,
  findNextLapse,
  findNextScimWork,
  startScimWork,
} from '#rooms/records/connectors/index.ts'
import { directoryUses } from '#rooms/records/directories/index.ts'
import { expireGrants, findNextExpiry } from '#rooms/records/grants/index.ts'
import {
  findNextRun,
  forgetIdleRuns,
  forgetShown,
  stepRuns,
  stepRunsBeside,
  sweepChanges,
} from '#rooms/rules/automation/index.ts'
import { ClockInDoubt, type WatchedClock } from '#server/engine/clock.ts'
import { idleMemory } from '#server/engine/idle-memory.ts'
import type { Tick } from '#server/engine/ticks.ts'
import type { Team } from '#server/workers/primary.ts'

/** Errors that are logged elsewhere, once. */
export const isPassing = (error: unknown): boolean => isAbsence(error) || error instanceof ClockInDoubt

/** How work is done that ends things by the time. */
type ByTime = {
  /** For work that ends by its time and can still continue if the clock was wrong. */
  steady: World
  /** Work that cannot be undone once the clock is right again. All other work continues after a jump. */
  ending(work: (world: World) => Promise<Again | void>): Pick<Tick, 'isByTime' | 'work'>
}

function byTimeOf(world: World, clock: WatchedClock): ByTime {
  const guarded = clock.guarded(world)
  return {
    steady: { ...world, now: clock.steadyNow },
    ending: (work) => ({
      isByTime: true,
      work: async () => ((await clock.isSettled()) ? work(guarded) : 'again'),
    }),
  }
}

/**
 * Periodic work that one process does for all servers; it does no harm if two do it at once for a moment. It is done after
 * changes, and when work is due by `nextDue`; otherwise every ten minutes.
 */
export function workOfAll(world: World, clock: WatchedClock): Tick[] {
  const byTime = byTimeOf(world, clock)
  return [
    ...workOnAccess(world, byTime),
    ...workOnSessions(byTime),
    ...workOnConnectors(world, byTime),
    ...workOnEvents(world, byTime),
    ...workOnNotifications(world, byTime),
    ...workAfterRequests(world, byTime),
  ]
}

/** Grants, rules and tasks. */
const workOnAccess = (world: World, { ending }: ByTime): Tick[] => [
  {
    name: 'revoke expired grants',
    everyMs: 1_000,
    ...ending((at) => expireGrants(at, endRequested)),
    nextDue: (before) => findNextExpiry(world.db, before),
  },
  { name: 'evaluate rules for changed users', everyMs: 200, work: () => sweepChanges(world) },
  // Each steps the runs of another tenant: a tenant whose rules are slow does not delay the others.
  {
    name: 'run rules',
    everyMs: 200,
    work: () => stepRuns(world),
    nextDue: (before) => findNextRun(world.db, before),
  },
  { name: 'run rules (second)', everyMs: 200, work: () => stepRunsBeside(world) },
  { name: 'run rules (third)', everyMs: 200, work: () => stepRunsBeside(world) },
  { name: 'process enrollments in access profiles', everyMs: 500, work: () => noticeEnrollments(world) },
  // Also without changes: delegations begin and end by the clock.
  { name: 'check that requests can be decided', everyMs: 1_000, mostMs: 300_000, work: () => checkAnswerable(world) },
  // Without a change only a delegation can have begun or ended; that is also seen when somebody decides.
  { name: 'recheck open tasks', everyMs: 10_000, mostMs: 3_600_000, work: () => recheckOpenTasks(world) },
  { name: 'delete runs without changes', everyMs: 3_600_000, ...ending(forgetIdleRuns) },
]

const workOnSessions = ({ ending }: ByTime): Tick[] => [
  { name: 'end sessions, links and challenges', everyMs: 5_000, ...ending(forgetEnded) },
  {
    name: 'delete expired revocations',
    everyMs: 60_000,
    ...ending(({ db, now }) => deleteExpiredRevocations(db, now())),
  },
]

const workOnConnectors = (world: World, { steady }: ByTime): Tick[] => [
  { name: 'create provisioning tasks', everyMs: 500, work: () => carryToConnectors(world) },
  {
    name: 'start built-in connectors',
    everyMs: 1_000,
    work: () => startScimWork(world),
    nextDue: (before) => findNextScimWork(world.db, before),
  },
  {
    name: 'end leases of connectors',
    everyMs: 10_000,
    work: () => endLapsedLeases(steady),
    nextDue: (before) => findNextLapse(world.db, before),
  },
]

/** The system log, and the webhooks and subscriptions that events are sent to. */
const workOnEvents = (world: World, { steady, ending }: ByTime): Tick[] => [
  {
    name: 'start exports of the system log',
    everyMs: 2_000,
    work: () => startExports(world),
    nextDue: (before) => findNextExport(world.db, before),
  },
  {
    name: 'start removal of archived events',
    everyMs: 60_000,
    ...ending(startRetention),
  },
  { name: 'verify the system log', everyMs: 60_000, work: () => world.memory(verifying).verifyDue() },
  {
    name: 'end unanswered webhooks',
    everyMs: 5_000,
    work: () => endUnanswered(steady),
    nextDue: (before) => findNextUnanswered(world.db, before),
  },
  {
    name: 'seal addresses of older versions',
    everyMs: 3_600_000,
    work: async () => {
      await sealUrlsOfWebhooks(world)
      await sealUrlsOfSubscriptions(world)
    },
  },
  { name: 'delete old webhook deliveries', everyMs: 3_600_000, ...ending(forgetDeliveries) },
  { name: 'delete old subscription deliveries', everyMs: 3_600_000, ...ending(forgetEventDeliveries) },
]

const workOnNotifications = (world: World, { steady, ending }: ByTime): Tick[] => [
  { name: 'create notifications from events', everyMs: 500, work: () => noticeLogged(world) },
  { name: 'skip events without notifications', everyMs: 30_000, work: () => skipUntold(world) },
  {
    name: 'create notifications of expiring access and failed syncs',
    everyMs: 60_000,
    work: () => noticeAhead(steady),
  },
  {
    name: 'write messages',
    everyMs: 1_000,
    work: () => gatherDue(world),
    nextDue: (before) => findNextToGather(world.db, before),
  },
  { name: 'delete sent messages', everyMs: 3_600_000, ...ending(tidyMessages) },
]

/** What requests leave behind. */
const workAfterRequests = (world: World, { ending }: ByTime): Tick[] => [
  { name: 'delete full budgets', everyMs: 10_000, work: () => deleteFullBudgets(world.db) },
  { name: 'delete names shown by plans', everyMs: 3_600_000, ...ending(forgetShown) },
  { name: 'delete old idempotency keys', everyMs: 60_000, ...ending(forgetKeys) },
  {
    name: 'delete old device requests',
    everyMs: 60_000,
    ...ending(({ db, now }) => deleteForgottenRequests(db, now())),
  },
  {
    name: 'delete old federation attempts',
    everyMs: 60_000,
    ...ending(({ db, now }) => forgetAttempts(db, now())),
  },
  {
    name: 'delete expired assertions',
    everyMs: 60_000,
    ...ending(({ db, now }) => deleteExpiredAssertions(db, now())),
  },
]

/** The messages that one process sends for all servers. */
export function dispatchesOfAll(world: World): Dispatch[] {
  const { mail } = world.settings
  return [sendWebhooks(world), sendChats(world), ...(mail ? [sendMails(world, mail)] : [])]
}

/**
 * How often a process checks what only someone outside the program can change, while there are no changes and no requests.
 */
const aloneMs = 60_000

/** Work that writes what a process keeps in memory: done once more when the process stops. */
const atStop = (tick: Tick): Tick => ({ ...tick, isDoneAtStop: true })

/** Periodic work of every process that serves requests, on what it keeps in memory. Requests wake it too. */
export const workOfProcess = (world: World, clock: WatchedClock, wakes: Wakes): Tick[] => {
  const looks: Tick[] = [
    {
      name: 'compare the clock',
      everyMs: 1_000,
      mostMs: aloneMs,
      work: async () => {
        await clock.isSettled()
      },
    },
    { name: 'read when the database was restored', everyMs: 500, mostMs: aloneMs, work: () => refreshFloor(world) },
    { name: 'count jobs for metrics', everyMs: 5_000, work: () => world.memory(jobTotals).count(world) },
    {
      name: 'count subscriptions for metrics',
      everyMs: 10_000,
      work: () => world.memory(subscriptionTotals).count(world),
    },
    { name: 'drop expired tokens from memory', everyMs: 60_000, work: async () => forgetExpired(world) },
    idleMemory(),
  ]
  const writes: Tick[] = [
    { name: 'write when credentials were last used', everyMs: 5_000, work: () => world.memory(lastUsed).write() },
    { name: 'write attempts at federation trusts', everyMs: 1_000, work: () => world.memory(attemptNotes).write() },
    { name: 'write when directories were last used', everyMs: 2_000, work: () => world.memory(directoryUses).write() },
    { name: 'write when sessions were last seen', everyMs: 5_000, work: () => world.memory(lastSeen).write() },
    { name: 'share budgets', everyMs: 1_000, work: () => world.memory(looseBudgets).share() },
    {
      name: 'write repeated denials',
      everyMs: 1_000,
      work: () => world.memory(denials).writeDue(),
      nextDue: async () => world.memory(denials).nextDue(),
    },
  ]
  return [...looks, ...writes.map(atStop)].map((tick) => ({ ...tick, wakes }))
}

/** Periodic work of every server, done by one of its processes: each server keeps the log's end on its own machine. */
export const workOfServer = (world: World): Tick[] =>
  [
    { name: 'send alerts', everyMs: 5_000, work: () => world.memory(alerts).send() },
    // After the others, so that events that they write when the server stops are sealed too, and then the end is stored.
    { name: 'seal the system log', everyMs: 250, work: () => sealAll(world) },
    { name: 'store the end of the system log', everyMs: 1_000, work: () => keepHeads(world) },
    { name: 'notify the witnesses of the system log', everyMs: 5_000, work: () => world.memory(witnesses).report() },
  ].map(atStop)

/** In its place, for a worker: its primary seals the log. */
export const workOfWorker = (world: World): Tick[] =>
  [
    { name: 'check that events are sealed', everyMs: 500, work: () => checkSealed(world) },
    { name: 'store the end of the system log', everyMs: 1_000, work: () => keepHeads(world) },
  ].map(atStop)

/** In the primary, which sends its workers the end of the chain over a channel that does not involve the database. */
export function workOfPrimary(world: World, team: Team): Tick[] {
  const sent = new Map<number, number>()
  const sendEnds = async (): Promise<void> => {
    const news = [...chainEnds(world)].filter(([tenantId, { sealNumber }]) => sent.get(tenantId) !== sealNumber)
    if (news.length > 0) team.send({ do: 'learn', ends: news })
    for (const [tenantId, { sealNumber }] of news) sent.set(tenantId, sealNumber)
  }
  return [
    { name: 'read when the database was restored', everyMs: 500, mostMs: aloneMs, work: () => refreshFloor(world) },
    ...workOfServer(world),
    atStop({ name: 'send the end of the system log to workers', everyMs: 250, work: sendEnds }),
  ]
}
