import { jobKind } from '#kernel/jobs.ts'
import { transact } from '#kernel/sql.ts'
import { usersDisabled } from '#rooms/identity/users/index.ts'
import { isAuthenticInvitation, lockWaitingOfDisabled, updateInvitation } from './invitations/store.ts'
import { deleteSessionsOfDisabled } from './store.ts'

/**
 * Their cookies are refused as soon as they are disabled. This makes sure that their sessions do not come back, and
 * their invitations do not work, when they are enabled again.
 */
export const endSessionsOfDisabled = jobKind(usersDisabled, {
  title: 'Sessions and invitations of disabled users',
  retry: { firstMs: 1_000, maxMs: 60_000, attemptsMax: 20 },
  limitPerTenant: 1,
  afterUnknown: 'retry',
  attemptMs: 60_000,
  handle: ({ db, seals, tenant, now, finishIn }) =>
    transact(db, async (tx) => {
      await deleteSessionsOfDisabled(tx, tenant.id)
      const at = now()
      for (const row of await lockWaitingOfDisabled(tx, tenant.id, at))
        if (isAuthenticInvitation(seals, tenant.id, row))
          await updateInvitation(tx, seals, tenant.id, { ...row, revokedAt: at })
      await finishIn(tx)
    }),
})
