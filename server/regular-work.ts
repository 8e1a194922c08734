import { isAbsence } from '#database/presence.ts'
import { forgetKeys } from '#http/guards/idempotency.ts'
import { deleteFullBudgets } from '#kernel/budget-store.ts'
import { looseBudgets } from '#kernel/shared-budget.ts'
import type { World } from '#kernel/world.ts'
import { startExports, startRetention } from '#rooms/events/exports/index.ts'
import { forgetDeliveries as forgetEventDeliveries, subscriptionTotals } from '#rooms/events/subscriptions/index.ts'
import { endUnanswered, forgetDeliveries } from '#rooms/events/webhooks/index.ts'
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
  gatherDue,
  noticeAhead,
  noticeLogged,
  postOffice,
  skipUntold,
  tidyMessages,
} from '#rooms/governance/notifications/index.ts'
import { noticeEnrollments } from '#rooms/governance/profiles/index.ts'
import { checkAnswerable, endRequested, recheckOpenTasks } from '#rooms/governance/tasks/index.ts'
import { deleteExpiredRevocations, lastUsed } from '#rooms/identity/credentials/index.ts'
import { forgetEnded, lastSeen } from '#rooms/identity/sessions/index.ts'
import { deleteExpiredAssertions, deleteForgottenRequests, forgetExpired } from '#rooms/identity/tokens/index.ts'
import { carryToConnectors, endLapsedLeases, startScimWork } from '#rooms/records/connectors/index.ts'
import { directoryUses } from '#rooms/records/directories/index.ts'
import { expireGrants } from '#rooms/records/grants/index.ts'
import { forgetIdleRuns, forgetShown, stepRuns, stepRunsBeside, sweepChanges } from '#rooms/rules/automation/index.ts'
import { ClockInDoubt, type WatchedClock } from './engine/clock.ts'
import { idleMemory } from './engine/idle-memory.ts'
import type { Tick } from './engine/ticks.ts'
import type { Team } from './workers/primary.ts'

/** What is told of elsewhere, once. */
export const isPassing = (error: unknown): boolean => isAbsence(error) || error instanceof ClockInDoubt

/** Regular work that one process does for all servers; that two do it at once for a moment does no harm. */
export function workOfAll(world: World, clock: WatchedClock): Tick[] {
  const guarded = clock.guarded(world)
  /** What cannot be undone once the clock is right again. */
  const ending = (work: (world: World) => Promise<void>) => async (): Promise<void> => {
    if (await clock.isSettled()) await work(guarded)
  }
  /** What puts itself right, but had better not have been done. */
  const changing = (work: (world: World) => Promise<void>) => async (): Promise<void> => {
    if (!clock.hasJumped()) await work(guarded)
  }
  return [
    {
      name: 'take back what was given for a time',
      everyMs: 1_000,
      work: ending((at) => expireGrants(at, endRequested)),
    },
    { name: 'ask rules about who changed', everyMs: 200, work: changing(sweepChanges) },
    // Each steps another tenant's runs: one whose rules are slow does not hold up the others.
    { name: 'run rules', everyMs: 200, work: changing(stepRuns) },
    { name: 'run rules beside it', everyMs: 200, work: changing(stepRunsBeside) },
    { name: 'run rules beside both', everyMs: 200, work: changing(stepRunsBeside) },
    { name: 'notice who was enrolled in access profiles', everyMs: 500, work: changing(noticeEnrollments) },
    { name: 'check that requests can be decided', everyMs: 1_000, work: changing(checkAnswerable) },
    { name: 'look at open tasks again', everyMs: 10_000, work: changing(recheckOpenTasks) },
    { name: 'forget runs that did nothing', everyMs: 3_600_000, work: ending(forgetIdleRuns) },
    { name: 'end sessions, links and challenges', everyMs: 5_000, work: ending(forgetEnded) },
    {
      name: 'forget revoked tokens',
      everyMs: 60_000,
      work: ending(({ db, now }) => deleteExpiredRevocations(db, now())),
    },
    { name: 'carry access to connectors', everyMs: 500, work: changing(carryToConnectors) },
    { name: 'start work of connectors that the server runs', everyMs: 1_000, work: changing(startScimWork) },
    { name: 'start exports of the system log', everyMs: 2_000, work: changing(startExports) },
    {
      name: 'start to remove archived events',
      everyMs: 60_000,
      work: ending(startRetention),
    },
    { name: 'verify the system log', everyMs: 60_000, work: changing((at) => at.memory(verifying).verifyDue()) },
    { name: 'end leases of connectors', everyMs: 10_000, work: changing(endLapsedLeases) },
    { name: 'end webhooks that were not answered', everyMs: 5_000, work: ending(endUnanswered) },
    { name: 'forget old deliveries of webhooks', everyMs: 3_600_000, work: ending(forgetDeliveries) },
    { name: 'note whom to tell of what happened', everyMs: 500, work: changing(noticeLogged) },
    { name: 'pass over what nobody is told of', everyMs: 30_000, work: changing(skipUntold) },
    { name: 'note what ends soon, and syncs that fail', everyMs: 60_000, work: changing(noticeAhead) },
    { name: 'put notifications into messages', everyMs: 1_000, work: changing(gatherDue) },
    { name: 'send mails', everyMs: 500, work: changing((at) => world.memory(postOffice).sendMails(at)) },
    { name: 'send messages to chats', everyMs: 1_000, work: changing((at) => world.memory(postOffice).sendChats(at)) },
    { name: 'forget messages that were sent', everyMs: 3_600_000, work: ending(tidyMessages) },
    { name: 'forget budgets that are full', everyMs: 10_000, work: () => deleteFullBudgets(world.db) },
    { name: 'forget names that plans have shown', everyMs: 3_600_000, work: ending(forgetShown) },
    { name: 'forget old deliveries of subscriptions', everyMs: 3_600_000, work: ending(forgetEventDeliveries) },
    { name: 'delete old idempotency keys', everyMs: 60_000, work: ending(forgetKeys) },
    {
      name: 'forget requests of devices',
      everyMs: 60_000,
      work: ending(({ db, now }) => deleteForgottenRequests(db, now())),
    },
    {
      name: 'forget old attempts at federation trusts',
      everyMs: 60_000,
      work: ending(({ db, now }) => forgetAttempts(db, now())),
    },
    {
      name: 'forget used assertions',
      everyMs: 60_000,
      work: ending(({ db, now }) => deleteExpiredAssertions(db, now())),
    },
  ]
}

/** Regular work of every process that serves requests: with what it remembers itself. */
export const workOfProcess = (world: World, clock: WatchedClock): Tick[] => [
  {
    name: 'compare the clock',
    everyMs: 1_000,
    work: async () => {
      await clock.isSettled()
    },
  },
  { name: 'write when credentials were last used', everyMs: 5_000, work: () => world.memory(lastUsed).write() },
  { name: 'write attempts at federation trusts', everyMs: 1_000, work: () => world.memory(attemptNotes).write() },
  { name: 'write when directories were last used', everyMs: 2_000, work: () => world.memory(directoryUses).write() },
  { name: 'write when sessions were last seen', everyMs: 5_000, work: () => world.memory(lastSeen).write() },
  { name: 'read when the database was restored', everyMs: 500, work: () => refreshFloor(world) },
  { name: 'count jobs for metrics', everyMs: 5_000, work: () => world.memory(jobTotals).count(world) },
  {
    name: 'count subscriptions for metrics',
    everyMs: 10_000,
    work: () => world.memory(subscriptionTotals).count(world),
  },
  { name: 'forget tokens that have expired', everyMs: 60_000, work: async () => forgetExpired(world) },
  idleMemory(),
  { name: 'share budgets', everyMs: 1_000, work: () => world.memory(looseBudgets).share() },
  { name: 'write repeated denials', everyMs: 1_000, work: () => world.memory(denials).writeDue() },
]

/** Regular work of every server, by one of its processes: each server keeps the log's end on its own machine. */
export const workOfServer = (world: World): Tick[] => [
  { name: 'tell of alerts', everyMs: 5_000, work: () => world.memory(alerts).tell() },
  // The last to be done when the server stops: what the others write is sealed too, and then kept.
  { name: 'seal the system log', everyMs: 250, work: () => sealAll(world) },
  { name: 'keep the end of the system log', everyMs: 1_000, work: () => keepHeads(world) },
  { name: 'tell the witnesses of the system log', everyMs: 5_000, work: () => world.memory(witnesses).tell() },
]

/** Instead of it, in a worker, whose primary seals the log. */
export const workOfWorker = (world: World): Tick[] => [
  { name: 'look whether events are sealed', everyMs: 500, work: () => checkSealed(world) },
  { name: 'keep the end of the system log', everyMs: 1_000, work: () => keepHeads(world) },
]

/** In the primary, which tells its workers where the chain ends: by a way that the database has no part in. */
export function workOfPrimary(world: World, team: Team): Tick[] {
  const told = new Map<number, number>()
  const tellEnds = async (): Promise<void> => {
    const news = [...chainEnds(world)].filter(([tenantId, { sealNumber }]) => told.get(tenantId) !== sealNumber)
    if (news.length > 0) team.tell({ do: 'learn', ends: news })
    for (const [tenantId, { sealNumber }] of news) told.set(tenantId, sealNumber)
  }
  return [
    { name: 'read when the database was restored', everyMs: 500, work: () => refreshFloor(world) },
    ...workOfServer(world),
    { name: 'tell workers where the system log ends', everyMs: 250, work: tellEnds },
  ]
}
