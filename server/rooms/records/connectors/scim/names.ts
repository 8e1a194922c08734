import { jobName } from '#kernel/jobs.ts'

/** An app that speaks SCIM is read. */
export const scimSyncDue = jobName<{ connectorId: string }>('connectors.scim-sync')

/** What is to be done to an app that speaks SCIM is done. */
export const scimTasksDue = jobName<{ connectorId: string }>('connectors.scim-provision')
