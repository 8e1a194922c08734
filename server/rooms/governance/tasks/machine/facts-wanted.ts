import type { ActionName } from './action.ts'
import { currentOf } from './fold.ts'
import type { Snapshot } from './record.ts'

/** The facts that a task may need in addition to who decides its steps. */
export type FactName = 'subject' | 'terms' | 'account' | 'holdings'

/** The facts that show whether the object of a task still exists. */
export function factsOfObject({ kind, subjectUserId, accountId }: Snapshot['task']): FactName[] {
  if (kind === 'offboarding') return []
  const wanted: FactName[] = kind === 'change' ? [] : ['terms']
  if (subjectUserId !== '' && kind !== 'revoke') wanted.push('subject')
  if (kind === 'grant' && accountId !== '') wanted.push('account')
  return wanted
}

/** The facts for an action, and for the steps that follow it at once. */
export function factsWanted({ task, state }: Snapshot, action: ActionName): FactName[] {
  if (!state.isOpen || action === 'comment' || action === 'close') return []
  const now = currentOf(state)
  const givesNext =
    action === 'approve' &&
    task.kind === 'grant' &&
    task.accountId === '' &&
    now !== null &&
    state.route[now.place + 1]?.kind === 'provision'
  return givesNext ? [...factsOfObject(task), 'holdings'] : factsOfObject(task)
}
