import { jobName } from '#kernel/jobs.ts'

/** Enqueued when a directory was deleted: what it said of people is said by others, or by nobody, from then on. */
export const directoryChanged = jobName<{ appId: string }>('directories.changed')

/** Enqueued when a user comes whom others named as their manager before. */
export const managerArrived = jobName<{ appId: string; accountId: string }>('directories.manager-arrived')

/** Enqueued when more held deactivations were confirmed or dismissed than are decided in one request. */
export const heldDecided = jobName<{ appId: string }>('directories.held-decided')
