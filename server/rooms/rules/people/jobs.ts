import { type JobCall, type JobKind, jobKind } from '#kernel/jobs.ts'
import { Refusal } from '#kernel/refusals.ts'
import { transact } from '#kernel/sql.ts'
import type { Cause } from '#rooms/foundation/systemlog/index.ts'
import { accountsChanged } from '#rooms/records/accounts/index.ts'
import { directoryChanged, lockDirectory } from '#rooms/records/directories/index.ts'
import { followAccounts } from './follow.ts'
import { prepareKeys } from './match.ts'
import { forgetPeople, matchingOf, settleAll } from './plan.ts'
import { listAllDirectories, setError } from './store.ts'

const causeOf = ({ tenant, job }: JobCall, name: string): Cause => ({
  tenant,
  actor: { userId: '', name, email: '', credentialId: '', tokenId: '' },
  operation: job.kind,
  requestId: job.cause.requestId,
  sourceAddress: '127.0.0.1',
})

/** Makes people of accounts. What was done already is not done again, so an attempt of unknown outcome is repeated. */
const followDirectories: JobKind = jobKind(accountsChanged, {
  title: 'Make people of the accounts of directories',
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
  const { tenant } = call
  try {
    const userIds = await transact(call.db, async (tx) => {
      const directory = await lockDirectory(tx, tenant.id, appId)
      if (!directory) return []
      const asker = { lane: String(tenant.id), signal: call.signal }
      const following = { tx, world: call, tenant, cause: causeOf(call, `Directory ${directory.displayName}`) }
      const keys = await prepareKeys(call, asker, directory)
      const matching = matchingOf(following, keys, { isPlan: false, signal: call.signal })
      const isAll = directory.followedAt === null
      return (await followAccounts(following, directory, matching, { isAll, isForced: false })).userIds
    })
    await forgetPeople(call, tenant, userIds)
    await setError(call.db, tenant.id, appId, '', call.now())
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // What the administrator wrote is the reason: trying again would not help.
    await setError(call.db, tenant.id, appId, error.message, call.now())
  }
}

/** After a directory was deleted, or the order of directories was changed. */
const settleDirectories: JobKind = jobKind(directoryChanged, {
  title: 'Take attributes of people from the directories that are left',
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
