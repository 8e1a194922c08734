import { directoryPlansApply, directoryPlansCreate } from '#client/api/operations.ts'
import type { DirectoryPlanCounts, DirectoryPlansCreateRequest } from '#client/api/types.ts'
import type { Sent } from '#client/operation.ts'
import { useChange } from '../../client/queries.ts'
import { directoryReads } from './reads.ts'

export type Change = Sent<DirectoryPlansCreateRequest>
export type Count = keyof DirectoryPlanCounts

/** A plan of a change of directories, and what applies it. What was planned is forgotten when the change is another. */
export function useDirectoryPlan({ done, onApplied }: { done: string; onApplied: () => void }) {
  const make = useChange(directoryPlansCreate, { changes: [] })
  const apply = useChange(directoryPlansApply, {
    changes: directoryReads,
    done,
    onDone() {
      make.reset()
      onApplied()
    },
  })
  return {
    plan: make.data ?? null,
    error: make.error,
    isPending: make.isPending,
    make(change: Change): void {
      apply.reset()
      make.mutate({ body: change })
    },
    forget(): void {
      make.reset()
      apply.reset()
    },
    apply,
  }
}
export type Planning = ReturnType<typeof useDirectoryPlan>

/** The counts of a plan, in the order in which they are shown. */
export const groups: readonly { count: Count; label: string; tone?: 'good' | 'bad' | 'other'; none: string }[] = [
  { count: 'created', label: 'created', tone: 'good', none: 'No users would be created.' },
  { count: 'matched', label: 'linked', none: 'No accounts would be linked to existing users.' },
  { count: 'changed', label: 'changed', none: 'No other users would change.' },
  { count: 'left', label: 'leave the directory', none: 'No accounts would leave the directory.' },
  { count: 'disabled', label: 'disabled', tone: 'bad', none: 'No users would be disabled.' },
  { count: 'enabled', label: 'enabled', tone: 'good', none: 'No users would be enabled.' },
  { count: 'conflicts', label: 'conflicts', tone: 'other', none: 'No conflicts.' },
]
