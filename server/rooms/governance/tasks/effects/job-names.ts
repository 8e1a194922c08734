import { jobName } from '#kernel/jobs.ts'

/** Wakes a task whose step is due: to escalate it, to end its wait, or to evaluate its condition again. */
export const taskDue = jobName<{ taskId: string; stepId: string }>('tasks.due')

/** Sends a webhook the step that has begun. */
export const askWebhook = jobName<{ taskId: string; stepId: string }>('tasks.ask-webhook')

/** Continues an offboarding: opens the remaining revocations, and ends it once all of them are over. */
export const offboardTask = jobName<{ taskId: string }>('tasks.offboarding')

/** All steps of a change are passed. The room that stores the change carries it out: see governance/four-eyes. */
export const changeApproved = jobName<{ taskId: string }>('tasks.change-approved')

const ofTask = (taskId: string) => ({ subject: { type: 'task', id: taskId } })
const ofStep = (taskId: string, stepId: string) => ({ ...ofTask(taskId), payload: { taskId, stepId }, key: stepId })

export const dueAt = (taskId: string, stepId: string, runAt: Date) => ({ ...ofStep(taskId, stepId), runAt })
export const asking = ofStep
export const offboardingOf = (taskId: string) => ({ ...ofTask(taskId), payload: { taskId }, key: taskId })
export const changeOf = (taskId: string) => ({ ...ofTask(taskId), payload: { taskId } })
