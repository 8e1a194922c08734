import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Confirm } from './confirm.tsx'

type LeaveQuestionProps = {
  /** Something was written that is not saved. */
  isChanged: boolean
  /** What is lost. */
  children: ReactNode
}

/** Asks before a page is left on which something is not saved. Another page of a list in it is no other page. */
export function LeaveQuestion({ isChanged, children }: LeaveQuestionProps): ReactNode {
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: false,
    withResolver: true,
  })
  return (
    <Confirm
      opened={leaving.status === 'blocked'}
      onClose={() => leaving.reset?.()}
      title="Leave without saving?"
      verb="Leave"
      isPending={false}
      error={null}
      onConfirm={() => leaving.proceed?.()}
    >
      {children}
    </Confirm>
  )
}
