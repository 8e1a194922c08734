import type { World } from '#kernel/world.ts'
import type { TaskKind, TaskOutcome, TaskState } from './task.ts'

export type TaskOrigin =
  | 'TASK_ORIGIN_API'
  | 'TASK_ORIGIN_WEBAPP'
  | 'TASK_ORIGIN_TIME_REVOKE'
  | 'TASK_ORIGIN_PROFILE_MEMBERSHIP'
  | 'TASK_ORIGIN_PROFILE_MEMBERSHIP_MANUAL'
  | 'TASK_ORIGIN_PROFILE_MEMBERSHIP_AUTOMATION'
  | 'TASK_ORIGIN_CASCADE_DELETE'
  | 'TASK_ORIGIN_AUTOMATION'

/** In the source of a revocation: when the access expired. */
export const expiredField = 'expiredAt'

/** In the source of a grant: it was granted before, and is only to be provisioned in the app again. */
export const againField = 'isCarriedOutAgain'
export const isAgain = ({ kind, source }: Pick<TaskAbout, 'kind' | 'source'>): boolean =>
  kind === 'grant' && source[againField] === true

/** The fields of a task that never change. */
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
  /** The task that opened it; empty if a person or the time did. */
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

/** A task without events. */
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

/** A task at one moment: its row, and its state. */
export type Snapshot = { readonly task: Task; readonly state: TaskState }

/** The sources of the grants that a revocation ends; null for all. Others remain. */
export function sourcesOf({ origin, parentId }: TaskAbout): readonly ('request' | 'manual')[] | null {
  if (origin === 'TASK_ORIGIN_TIME_REVOKE') return ['request']
  // An offboarding does not end grants of rules and imports: they would only grant them again.
  return parentId === '' ? null : ['request', 'manual']
}
