import type { Task } from '../machine/record.ts'
import type { Holdings } from './holdings-store.ts'

/** The account that gets access: one that has it by request, else the first of the person; null where there is none. */
export function accountIn({ rows }: Holdings): {
  id: string | null
  /** Nothing of it was held there by request when that was looked at: not even beyond its time. */
  isUnheld: boolean
} {
  const requested = rows.filter(({ source }) => source === 'request')
  const [extended] = requested
    .filter(({ isOver }) => !isOver)
    .map(({ accountId }) => accountId)
    .toSorted()
  const id = extended ?? rows[0]?.accountId ?? null
  return { id, isUnheld: id !== null && !requested.some(({ accountId }) => accountId === id) }
}

/** Which reasons a revocation ends; null for all. Others still hold. */
export function sourcesOf({ origin, parentId }: Task): readonly ('request' | 'manual')[] | null {
  if (origin === 'TASK_ORIGIN_TIME_REVOKE') return ['request']
  // An offboarding leaves alone what rules and imports say: they would only say it again.
  return parentId === '' ? null : ['request', 'manual']
}
