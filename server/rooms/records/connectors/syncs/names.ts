import { jobName } from '#kernel/jobs.ts'

/** A sync that was uploaded is merged. */
export const syncUploaded = jobName<{ connectorId: string; taskId: string }>('connectors.merge')
