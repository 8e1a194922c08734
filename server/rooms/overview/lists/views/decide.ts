import type { FieldViolation } from '#kernel/refusals.ts'
import type { SavedView } from './view.ts'

/** As many of one person, and as many that are shared in a tenant. */
export const viewsMax = { own: 100, shared: 200 }

// The page of a list is not kept: by the time its token would lead nowhere.
const dropped = ['page', 'size']

/** The query of an address without what is no view. */
export function tidyQuery(query: string): string {
  const kept = new URLSearchParams(query.replace(/^\?/, ''))
  for (const name of dropped) kept.delete(name)
  return kept.toString()
}

/** What is wrong with a view, field by field. */
export function viewProblems({ page, name }: Pick<SavedView, 'page' | 'name'>): FieldViolation[] {
  return [
    ...(name === '' ? [{ field: 'name', description: 'must not be empty' }] : []),
    // An address of this console and of no other site, however it is written.
    ...(/^\/(?!\/)[\w./:~%@+-]*$/.test(page) && !page.includes('\\')
      ? []
      : [{ field: 'page', description: 'must be the path of a page, such as /users' }]),
  ]
}

/** Whether someone may change a view: their own views, and shared ones if they may share views. */
export const mayChange = (
  view: Pick<SavedView, 'userId' | 'isShared'>,
  caller: { userId: string; mayShare: boolean },
): boolean => view.userId === caller.userId || (view.isShared && caller.mayShare)
