import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { taskActionsApprove, taskActionsDeny } from '#client/api/operations.ts'
import { ApiError } from '#client/api-error.ts'
import { call } from '../../client/call.ts'
import { taskReads } from './reads.ts'
import type { SeenTask } from './seen-task.ts'
import { counted } from './words.ts'

export type Decision = 'approve' | 'deny'

export const looks = {
  approve: {
    verb: 'Approve',
    doing: 'Approving',
    done: 'Approved',
    action: 'APPROVE',
    color: 'ink',
    operation: taskActionsApprove,
  },
  deny: { verb: 'Deny', doing: 'Denying', done: 'Denied', action: 'DENY', color: 'red.8', operation: taskActionsDeny },
} as const

const atOnce = 4
const triesMax = 4
const pauseMs = 500

/** The API's message, unless someone else was quicker: then it has the id of the step, which means nothing in a list. */
const whyNot = (error: unknown): string =>
  error instanceof ApiError && error.reason === 'TASK_STEP_NOT_CURRENT'
    ? 'it was already decided or closed, so nothing was changed.'
    : (error as Error).message

/** The server is overloaded: it refuses the request before it does anything. */
const isBusy = (error: unknown): boolean => error instanceof ApiError && (error.status === 429 || error.status === 503)

async function decideOne(
  operation: (typeof looks)[Decision]['operation'],
  seen: SeenTask,
  comment: string,
): Promise<void> {
  // With the state that was shown: a task that has changed since is not decided.
  const { id, policy, revision } = seen.task
  const input = { path: { task_id: id }, body: { policyStepId: policy?.current?.id ?? '', comment, revision } }
  for (let tries = 1; ; tries++)
    try {
      await call(operation, input)
      return
    } catch (error) {
      if (!isBusy(error) || tries === triesMax) throw error
      await new Promise((done) => setTimeout(done, pauseMs * tries))
    }
}

export type Failed = { seen: SeenTask; why: string }

type Told = {
  onClose: () => void
  /** Called with the ids of the tasks that were tried. */
  onDecided: (ids: readonly string[]) => void
}

/** Decides several tasks, a few at a time, until it is stopped. */
export function useDeciding(decision: Decision, { onClose, onDecided }: Told) {
  const client = useQueryClient()
  const { done, operation } = looks[decision]
  const [isPending, setPending] = useState(false)
  const [failed, setFailed] = useState<readonly Failed[] | null>(null)
  const [doneCount, setDoneCount] = useState(0)
  const [triedCount, setTriedCount] = useState(0)
  const isStopped = useRef(false)

  const decideAll = async (tasks: readonly SeenTask[], comment: string): Promise<void> => {
    setPending(true)
    const waiting = [...tasks]
    const decided: string[] = []
    const refused: Failed[] = []
    const work = async (): Promise<void> => {
      for (let seen = waiting.shift(); seen && !isStopped.current; seen = waiting.shift()) {
        try {
          await decideOne(operation, seen, comment)
          decided.push(seen.task.id)
        } catch (error) {
          refused.push({ seen, why: whyNot(error) })
        }
        setTriedCount(decided.length + refused.length)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    await Promise.all(taskReads.map(({ id }) => client.invalidateQueries({ queryKey: [id] })))
    setPending(false)
    // Refused tasks are listed, and the next click does not try them again. Tasks that were not tried stay selected.
    onDecided([...decided, ...refused.map(({ seen }) => seen.task.id)])
    if (refused.length === 0) {
      const rest = tasks.length - decided.length
      notifications.show({
        message: `${done} ${counted(decided.length, 'request')}${rest > 0 ? `. ${rest.toLocaleString()} were not changed` : ''}`,
        color: 'teal',
      })
      onClose()
      return
    }
    setDoneCount(decided.length)
    setFailed(refused)
  }
  const stop = (): void => {
    isStopped.current = true
  }
  return { decideAll, stop, isPending, triedCount, failed, doneCount }
}
