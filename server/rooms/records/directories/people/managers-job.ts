import { type JobKind, jobKind } from '#kernel/jobs.ts'
import { transact } from '#kernel/sql.ts'
import { change, record } from '#rooms/foundation/systemlog/index.ts'
import { causeOfJob } from '../cause.ts'
import { managerArrived } from '../jobs.ts'
import { findDirectory } from '../store.ts'
import { linkReports } from './managers.ts'
import { settlePeople } from './settle.ts'

const reportsAtOnce = 100

/** Links users whose manager was created after them. Those that are linked already are not waiting any longer. */
export const managersJob: JobKind = jobKind(managerArrived, {
  title: 'Managers of new users',
  retry: { firstMs: 1_000, maxMs: 60_000, attemptsMax: 20 },
  limitPerTenant: 2,
  afterUnknown: 'retry',
  attemptMs: 600_000,
  async handle(call) {
    const { tenant, job, db } = call
    const { appId, accountId } = job.payload
    const directory = await findDirectory(db, tenant.id, appId)
    if (!directory) return
    for (let after: string | undefined = ''; after !== undefined; ) {
      call.signal.throwIfAborted()
      const from: string = after
      after = await transact(db, async (tx) => {
        const page = { after: from, limit: reportsAtOnce }
        const linked = await linkReports(tx, tenant.id, appId, accountId, page)
        if (linked.length === 0) return undefined
        const userIds = linked.map(({ userId }) => userId)
        const settled = await settlePeople({ tx, world: call, tenant }, userIds, { acting: appId, links: new Map() })
        const cause = causeOfJob(call)
        const touched = settled.map(({ user, fields }) => ({
          type: 'user',
          id: user.id,
          name: user.displayName,
          data: { appId, fields },
        }))
        const of = { type: 'directory', id: appId, name: directory.displayName }
        const message = `Linked ${settled.length} users with their manager, who is in the directory ${directory.displayName} now`
        await record(tx, call, cause, change(cause, 'update', message, [of, ...touched]))
        return linked.at(-1)?.accountId
      })
    }
  },
})
