import { jobName } from '#kernel/jobs.ts'

/** A sync that was uploaded is merged. */
export const syncUploaded = jobName<{ connectorId: string; taskId: string }>('connectors.merge')

/** What a sync found is recorded: what is recorded for other reasons can be compared with it. */
export const appSynced = jobName<{ appId: string; begunAt: string; importedAt: string }>('connectors.synced')
