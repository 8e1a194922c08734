import type { JobKind } from '#kernel/jobs.ts'
import { carryOnDueTasks, goOnOffboarding, recheckLeftBehind } from '#rooms/governance/tasks/index.ts'
import { endSessionsOfDisabled } from '#rooms/identity/sessions/index.ts'

/** Every kind of job: what happens later, with the room that does it. */
export const jobKinds: readonly JobKind[] = [endSessionsOfDisabled, carryOnDueTasks, goOnOffboarding, recheckLeftBehind]
