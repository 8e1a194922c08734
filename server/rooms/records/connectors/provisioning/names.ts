import { jobName } from '#kernel/jobs.ts'

/**
 * A task that a request waits for is over. The room of tasks, of which this one knows nothing, continues with the request.
 */
export const provisioningEnded = jobName<{
  connectorId: string
  taskId: string
  /** The first of the tasks that repeat one another: the one that the request waits for. */
  rootId: string
}>('connectors.provisioned')
