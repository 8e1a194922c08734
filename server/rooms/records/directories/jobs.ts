import { jobName } from '#kernel/jobs.ts'

/** Enqueued when a directory was deleted: its values are provided by others, or by none, from then on. */
export const directoryChanged = jobName<{ appId: string }>('directories.changed')

/** Enqueued when a user is created whom others had named as their manager. */
export const managerArrived = jobName<{ appId: string; accountId: string }>('directories.manager-arrived')

/** Enqueued when more held deactivations were confirmed or dismissed than one request applies. */
export const heldDecided = jobName<{ appId: string }>('directories.held-decided')
