import { jobName } from '#kernel/jobs.ts'

/** Enqueued when a directory was deleted: what it said of people is said by others, or by nobody, from then on. */
export const directoryChanged = jobName<{ appId: string }>('directories.changed')
