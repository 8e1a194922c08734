import type { SeenTask } from './seen-task.ts'
import { aboutWords } from './task-columns.tsx'
import { targetName } from './words.ts'

/** Tasks that ask for the same: kind, entitlement, duration, and whether it is an emergency. */
export type Alike = { key: string; title: string; tasks: readonly SeenTask[] }

/** The tasks in groups that ask for the same, the largest first: a decision about many must not hide one that is unlike. */
export const alikeOf = (tasks: readonly SeenTask[]): Alike[] =>
  [
    ...Map.groupBy(tasks, (seen) =>
      JSON.stringify([
        seen.kind,
        seen.appId,
        seen.entitlementId || seen.task.id,
        seen.task.type?.grant?.grantDuration ?? null,
        seen.task.emergencyAccess,
      ]),
    ),
  ]
    .map(([key, all]) => ({
      key,
      title: all[0] ? `${targetName(all[0])}: ${aboutWords(all[0])}` : '',
      tasks: all,
    }))
    .toSorted((a, b) => b.tasks.length - a.tasks.length)
