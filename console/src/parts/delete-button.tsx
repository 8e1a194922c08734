import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Operation } from '#client/operation.ts'
import { useChange } from '../client/queries.ts'
import { ConfirmChange } from './confirm-change.tsx'

type DeleteButtonProps<Input, Reply> = {
  /** What is deleted. */
  name: string
  operation: Operation<Input, Reply>
  input: Input
  /** The operations that are read again. */
  changes: readonly { readonly id: string }[]
  /** The page to go to afterwards: there is nothing left on this one. */
  href: string
  /** The consequences. */
  children: ReactNode
}

/** Deletes the thing that a page shows, after a confirmation. */
export function DeleteButton<Input, Reply>({
  name,
  operation,
  input,
  changes,
  href,
  children,
}: DeleteButtonProps<Input, Reply>): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const navigate = useNavigate()
  const remove = useChange(operation, { changes, done: `Deleted ${name}`, onDone: () => void navigate({ href }) })
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Delete
      </Button>
      <ConfirmChange
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={`Delete ${name}?`}
        verb="Delete"
        change={remove}
        input={input}
      >
        {children}
      </ConfirmChange>
    </>
  )
}
