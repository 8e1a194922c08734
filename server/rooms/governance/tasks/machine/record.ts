import type { World } from '#kernel/world.ts'
import type { TaskKind, TaskOutcome } from './task.ts'

export type TaskOrigin =
  | 'TASK_ORIGIN_API'
  | 'TASK_ORIGIN_WEBAPP'
  | 'TASK_ORIGIN_TIME_REVOKE'
  | 'TASK_ORIGIN_PROFILE_MEMBERSHIP'
  | 'TASK_ORIGIN_PROFILE_MEMBERSHIP_MANUAL'
  | 'TASK_ORIGIN_PROFILE_MEMBERSHIP_AUTOMATION'
  | 'TASK_ORIGIN_CASCADE_DELETE'
  | 'TASK_ORIGIN_AUTOMATION'

/** Of the source of a revocation: when the time of the access was over. */
export const expiredField = 'expiredAt'

/** Of the source of a grant: it was given before, and is only to be carried out in the app again. */
export const againField = 'isCarriedOutAgain'
export const isAgain = ({ kind, source }: Pick<TaskAbout, 'kind' | 'source'>): boolean =>
  kind === 'grant' && source[againField] === true

/** What a task is about: it does not change. */
export type TaskAbout = {
  kind: TaskKind
  origin: TaskOrigin
  subjectUserId: string
  createdBy: string
  appId: string
  entitlementId: string
  accountId: string
  resourceTypeId: string
  resourceId: string
  displayName: string
  description: string
  source: { readonly [name: string]: unknown }
  /** The task that opened it; empty where a person or a clock did. */
  parentId: string
}

/** A task as lists and searches show it. */
export type Task = TaskAbout & {
  id: string
  number: number
  isOpen: boolean
  outcome: TaskOutcome | null
  outcomeAt: Date | null
  isEmergency: boolean
  durationSeconds: number | null
  policyId: string
  stepId: string
  stepKind: string
  stepApprovers: string
  stepDueAt: Date | null
  stepApproveReason: boolean
  stepDenyReason: boolean
  stuckWhy: string | null
  approverIds: readonly string[]
  commentCount: number
  version: number
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
}

/** A task in which nothing has happened yet. */
export function newTask(
  world: Pick<World, 'now' | 'newId'>,
  {
    number,
    about,
    durationSeconds,
    isEmergency,
  }: { number: number; about: TaskAbout; durationSeconds: number | null; isEmergency: boolean },
): Task {
  const at = world.now()
  return {
    ...about,
    id: world.newId(),
    number,
    isEmergency,
    durationSeconds,
    isOpen: true,
    outcome: null,
    outcomeAt: null,
    policyId: '',
    stepId: '',
    stepKind: '',
    stepApprovers: '',
    stepDueAt: null,
    stepApproveReason: false,
    stepDenyReason: false,
    stuckWhy: null,
    approverIds: [],
    commentCount: 0,
    version: 0,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  }
}
