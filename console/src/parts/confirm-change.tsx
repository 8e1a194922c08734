import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Confirm } from './confirm.tsx'

type ConfirmChangeProps<Input> = {
  opened: boolean
  onClose: () => void
  /** The question. */
  title: string
  /** What follows from it. */
  children: ReactNode
  /** The verb on the button. */
  verb: string
  /** What is done on yes; it closes the question itself when it is done. */
  change: UseMutationResult<unknown, Error, Input>
  /** With what; null while that is not known. */
  input: Input | null
}

/** Asks before one operation, and shows why it was refused. What was refused is forgotten when the question is closed. */
export const ConfirmChange = <Input,>({ change, input, onClose, ...props }: ConfirmChangeProps<Input>): ReactNode => (
  <Confirm
    {...props}
    onClose={() => {
      change.reset()
      onClose()
    }}
    isReady={input !== null}
    isPending={change.isPending}
    error={change.error}
    onConfirm={() => input !== null && change.mutate(input)}
  />
)
