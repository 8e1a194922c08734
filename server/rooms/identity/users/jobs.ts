import { jobName } from '#kernel/jobs.ts'

/** Enqueued with every change after which users may sign in no longer. What they left open is ended by who opened it. */
export const usersDisabled = jobName('users.disabled')

/** One job does for all users of a tenant. */
export const allDisabled = { payload: {}, key: 'all' }
