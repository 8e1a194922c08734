import type { Doing } from './doing.ts'
import type { Task, TaskAbout } from './machine/record.ts'

/** A task in which nothing has happened yet. */
export function newTask(
  doing: Pick<Doing, 'now' | 'newId'>,
  {
    number,
    about,
    durationSeconds,
    isEmergency,
  }: { number: number; about: TaskAbout; durationSeconds: number | null; isEmergency: boolean },
): Task {
  const at = doing.now()
  return {
    ...about,
    id: doing.newId(),
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
