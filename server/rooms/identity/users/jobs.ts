import { jobName } from '#kernel/jobs.ts'

/**
 * Enqueued with every change after which users may no longer sign in. What they left open is ended by the room that
 * opened it.
 */
export const usersDisabled = jobName('users.disabled')

/**
 * Enqueued with every change after which requests may be with people who cannot decide them, or be about something that
 * is gone: changes of users and delegates, and deletions. Lists the users whose open work is to be checked; without
 * them, it is searched for.
 */
export const recordsChanged = jobName<{ userIds?: readonly string[] }>('records.changed')

/** One job is enough for all users of a tenant. */
export const allDisabled = { payload: {}, key: 'all' }

/**
 * Enqueued when someone sets or removes a delegate, and when a delegation begins and ends: open tasks are reassigned
 * accordingly. `others` are the previous and the new delegate.
 */
export const delegationChanged = jobName<{ userId: string; others: readonly string[] }>('users.delegation-changed')
