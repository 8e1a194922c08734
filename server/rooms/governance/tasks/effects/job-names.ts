import { jobName } from '#kernel/jobs.ts'

/** Wakes a task whose step is due: it is escalated, no longer waited for, or its condition is asked again. */
export const taskDue = jobName<{ taskId: string; stepId: string }>('tasks.due')

/** Has a webhook asked about a step that has begun. */
export const askWebhook = jobName<{ taskId: string; stepId: string }>('tasks.ask-webhook')

/** Goes on with an offboarding: opens what is still to be revoked, and ends it once all of that is over. */
export const offboardTask = jobName<{ taskId: string }>('tasks.offboarding')

/** All steps of a change are passed. The room that holds the change carries it out: see governance/four-eyes. */
export const changeApproved = jobName<{ taskId: string }>('tasks.change-approved')

const ofTask = (taskId: string) => ({ subject: { type: 'task', id: taskId } })
const ofStep = (taskId: string, stepId: string) => ({ ...ofTask(taskId), payload: { taskId, stepId }, key: stepId })

export const dueAt = (taskId: string, stepId: string, runAt: Date) => ({ ...ofStep(taskId, stepId), runAt })
export const asking = ofStep
export const offboardingOf = (taskId: string) => ({ ...ofTask(taskId), payload: { taskId }, key: taskId })
export const changeOf = (taskId: string) => ({ ...ofTask(taskId), payload: { taskId } })
