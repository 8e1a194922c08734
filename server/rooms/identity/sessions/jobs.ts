import { jobKind } from '#kernel/jobs.ts'
import { transact } from '#kernel/sql.ts'
import { usersDisabled } from '#rooms/identity/users/index.ts'
import { deleteSessionsOfDisabled } from './store.ts'

/**
 * Their cookies are refused as soon as they are disabled. This makes sure that their sessions do not come back when
 * they are enabled again.
 */
export const endSessionsOfDisabled = jobKind(usersDisabled, {
  title: 'Sessions of disabled users',
  retry: { firstMs: 1_000, maxMs: 60_000, attemptsMax: 20 },
  limitPerTenant: 1,
  afterUnknown: 'retry',
  attemptMs: 60_000,
  handle: ({ db, tenant, finishIn }) =>
    transact(db, async (tx) => {
      await deleteSessionsOfDisabled(tx, tenant.id)
      await finishIn(tx)
    }),
})
