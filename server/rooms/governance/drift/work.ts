import { jobKind } from '#kernel/jobs.ts'
import { transact } from '#kernel/sql.ts'
import { appSynced } from '#rooms/records/connectors/index.ts'
import { compareGrants, putCheck, setLimits } from './store.ts'

/** Keeps the list of differences up to date. Comparing twice changes nothing. */
export const compareSynced = jobKind(appSynced, {
  title: 'Comparison of an app with its grants',
  retry: { firstMs: 2_000, maxMs: 300_000, attemptsMax: 20 },
  limitPerTenant: 1,
  afterUnknown: 'retry',
  attemptMs: 300_000,
  async handle(call) {
    const { appId, begunAt, importedAt } = call.job.payload
    await transact(call.db, async (tx) => {
      await setLimits(tx)
      const at = call.now()
      await putCheck(tx, call.tenant.id, appId, { importedAt: new Date(importedAt), at })
      await compareGrants(tx, call.tenant.id, { appId, begunAt: new Date(begunAt), at })
      await call.finishIn(tx)
    })
  },
})
