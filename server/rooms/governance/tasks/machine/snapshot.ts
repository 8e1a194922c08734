import type { Task } from './record.ts'
import type { TaskState } from './task.ts'

/** A task at one moment: its row, and what became of it so far. */
export type Snapshot = { readonly task: Task; readonly state: TaskState }
