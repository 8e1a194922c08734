import { jobName } from '#kernel/jobs.ts'

/** Has a webhook asked about a step that has begun. */
export const askWebhook = jobName<{ taskId: string; stepId: string }>('tasks.ask-webhook')

export const asking = (taskId: string, stepId: string) => ({
  payload: { taskId, stepId },
  subject: { type: 'task', id: taskId },
  key: stepId,
})
