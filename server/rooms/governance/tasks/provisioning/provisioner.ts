import type { Tx } from '#kernel/sql.ts'
import type { ProvisionPolicy } from '#rooms/records/apps/index.ts'
import type { Doing } from '../doing.ts'
import type { ProvisionResult } from '../machine/advance.ts'
import type { Task } from '../machine/record.ts'
import type { TaskState } from '../machine/task.ts'
import type { Holdings } from './store.ts'

/** What a provisioner is given: a task whose steps are all passed, in the transaction that passed the last. */
export type Provisioning = {
  tx: Tx
  call: Doing
  task: Task
  state: TaskState
  /** False for all but the last of several steps: the last one writes down that the access is held, or held no more. */
  isLast: boolean
  /** What the person holds in the app, where that was looked up along with something else. */
  holdings?: Holdings | null
  /**
   * Takes a write that was sent, and is waited for with those that follow it. It fails where it did not do what it was to do;
   * with the code of a lost race, all is done again. Without it, what is written is waited for.
   */
  later?: (written: Promise<void>) => void
  /** It is in the app already: the connector has done it, or people have. */
  isCarriedOut?: boolean
}

/**
 * Carries out what was decided: gives access, or takes it. One that can do so at once answers `done`, in the transaction of the
 * decision; one that needs people assigns it; one that needs another system enqueues a job and answers `under way`. It never
 * answers `done` for what it does not know to be done.
 */
export type Provisioner = {
  kind: string
  /** Whether it carries out a policy; the first that does is taken. */
  takes(policy: ProvisionPolicy | null): boolean
  /** Null where it turns out that it has nothing to do with it: the next one is asked. */
  begin(what: Provisioning, policy: ProvisionPolicy | null): Promise<ProvisionResult | null>
}

/** Whether no later step of the route carries anything out. */
export const isLastProvision = ({ route }: TaskState, place: number): boolean =>
  !route.slice(place + 1).some(({ kind }) => kind === 'provision')
