import { jobName } from '#kernel/jobs.ts'

/** Enqueued with every change after which users may sign in no longer. What they left open is ended by who opened it. */
export const usersDisabled = jobName('users.disabled')

/**
 * Enqueued with every change after which requests may stand with people who cannot decide them, or be about what is gone: users,
 * who answers for whom, and what is deleted. Named are users whose open work is to be looked at; else it is looked for.
 */
export const recordsChanged = jobName<{ userIds?: readonly string[] }>('records.changed')

/** One job does for all users of a tenant. */
export const allDisabled = { payload: {}, key: 'all' }

/**
 * Enqueued when someone names a delegate or no longer has one, and at the times at which that begins and ends: open tasks go to
 * whom they belong then. `others` are the delegates of before and after.
 */
export const delegationChanged = jobName<{ userId: string; others: readonly string[] }>('users.delegation-changed')
