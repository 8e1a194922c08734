import { isDeepStrictEqual } from 'node:util'
import { type JobCall, type JobKind, jobKind } from '#kernel/jobs.ts'
import { Refusal } from '#kernel/refusals.ts'
import { transact } from '#kernel/sql.ts'
import { type Cause, programActor, serviceCause } from '#rooms/foundation/systemlog/index.ts'
import { analyzeRecords } from '#rooms/foundation/writes/index.ts'
import { accountsChanged } from '#rooms/records/accounts/index.ts'
import {
  countActive,
  type Directory,
  directoryChanged,
  findDirectory,
  lockDirectory,
  setError,
} from '#rooms/records/directories/index.ts'
import {
  accountsPerPage,
  followAccounts,
  followLeaving,
  followManagers,
  followSome,
  isTimeToAnalyze,
} from './follow.ts'
import type { Following } from './following.ts'
import { type Matching, prepareKeys } from './match.ts'
import { forgetPeople, matchingUnits, settleAll } from './plan.ts'
import { hasMoreAccounts, listAllDirectories, listHeldUsers } from './store.ts'

const causeOf = ({ tenant, job }: JobCall, name: string): Cause => ({
  ...serviceCause(tenant, job.kind, job.cause.requestId),
  actor: programActor(name),
})

/** Creates users from accounts. Nothing is done twice, so an attempt of unknown outcome is repeated. */
const followDirectories: JobKind = jobKind(accountsChanged, {
  title: 'Users from directory accounts',
  retry: { firstMs: 1_000, maxMs: 300_000, attemptsMax: 50 },
  limitPerTenant: 1,
  afterUnknown: 'retry',
  attemptMs: 3_600_000,
  async handle(call) {
    for (const { appId, kind } of await listAllDirectories(call.db, call.tenant.id)) {
      call.signal.throwIfAborted()
      if (kind === 'app') await followOne(call, appId)
    }
  },
})

async function followOne(call: JobCall, appId: string): Promise<void> {
  const { tenant, db } = call
  try {
    const directory = await findDirectory(db, tenant.id, appId)
    if (!directory) return
    const keys = await prepareKeys(call, { lane: String(tenant.id), signal: call.signal }, directory)
    const run: Run = { call, directory, keys, known: new Map(), allowance: matchingUnits() }
    const isMany = await hasMoreAccounts(db, tenant.id, appId, { isAll: isAllOf(directory), count: accountsPerPage })
    const userIds = isMany
      ? await followInBatches(run)
      : await inDirectory(run, async (following, held, matching) => {
          const wanted = { isAll: isAllOf(held), isForced: false }
          return (await followAccounts(following, held, matching, wanted)).userIds
        })
    await forgetPeople(call, tenant, userIds ?? [])
    await setError(db, tenant.id, appId, '', call.now())
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error
    // The administrator's expression is the reason: a retry would not help.
    await setError(db, tenant.id, appId, error.message, call.now())
  }
}

const isAllOf = ({ followedAt }: Directory): boolean => followedAt === null

type Run = Pick<Matching, 'keys' | 'known' | 'allowance'> & { call: JobCall; directory: Directory }
type InDirectory<T> = (following: Following, directory: Directory, matching: Matching) => Promise<T>

const termsOf = ({ accountFilter, matchCases }: Directory) => ({ accountFilter, matchCases })

/**
 * One transaction, in which the directory is locked. Null if it was deleted or its terms have changed: the change starts
 * another job.
 */
async function inDirectory<T>({ call, directory, ...run }: Run, work: InDirectory<T>): Promise<T | null> {
  const { tenant } = call
  call.signal.throwIfAborted()
  let attempts = 0
  return transact(call.db, async (tx) => {
    // Users created by an attempt that was rolled back do not exist.
    if (attempts++ > 0) run.known.clear()
    const held = await lockDirectory(tx, tenant.id, directory.appId)
    if (!held || !isDeepStrictEqual(termsOf(held), termsOf(directory))) return null
    const following = { tx, world: call, tenant, cause: causeOf(call, `Directory ${held.displayName}`) }
    return work(following, held, { tx, world: call, tenantId: tenant.id, signal: call.signal, ...run })
  })
}

/**
 * Many accounts, in a separate transaction per thousand: others who change the same users wait for one thousand only, and
 * what an attempt committed stays done if it dies. The next one finds the rest, and those who were held for the end.
 */
async function followInBatches(run: Run): Promise<string[] | null> {
  const isAll = isAllOf(run.directory)
  const active = await inDirectory(run, async ({ tx, tenant }, { appId, heldSince }) => {
    // Those whom an earlier attempt held were active when it began.
    const held = heldSince === null ? (await listHeldUsers(tx, tenant.id, appId)).length : 0
    return (await countActive(tx, tenant.id, appId)) + held
  })
  let pages = 0
  await inPages(async (after) => {
    const last = await inDirectory(run, (following, directory, matching) =>
      followSome(following, directory, matching, { isAll, after }),
    )
    if (isTimeToAnalyze(++pages)) await transact(run.call.db, analyzeRecords)
    return last
  })
  await inPages((after) =>
    inDirectory(run, async (following, directory) => (await followManagers(following, directory, after)).last),
  )
  return inDirectory(run, (following, directory) => followLeaving(following, directory, active ?? 0))
}

/** Page by page, each from where the previous one stopped, until there is none. */
async function inPages(page: (after: string) => Promise<string | null>): Promise<void> {
  for (let after: string | null = ''; after !== null; ) after = await page(after)
}

/** After a directory was deleted, or the order of directories was changed. */
const settleDirectories: JobKind = jobKind(directoryChanged, {
  title: 'Attributes after a directory change',
  retry: { firstMs: 1_000, maxMs: 300_000, attemptsMax: 50 },
  limitPerTenant: 1,
  afterUnknown: 'retry',
  attemptMs: 3_600_000,
  async handle(call: JobCall<{ appId: string }>) {
    const { tenant, job } = call
    const userIds = await transact(call.db, async (tx) => {
      const following = { tx, world: call, tenant, cause: causeOf(call, 'Directories') }
      return (await settleAll(following, job.payload.appId, false)).userIds
    })
    await forgetPeople(call, tenant, userIds)
  },
})

export const directoryJobs: readonly JobKind[] = [followDirectories, settleDirectories]
