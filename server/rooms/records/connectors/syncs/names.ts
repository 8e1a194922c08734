import { jobName } from '#kernel/jobs.ts'

/** Merges a sync that was uploaded. */
export const syncUploaded = jobName<{ connectorId: string; taskId: string }>('connectors.merge')

/** The result of a sync was recorded: records from other sources can be compared with it. */
export const appSynced = jobName<{ appId: string; begunAt: string; importedAt: string }>('connectors.synced')
