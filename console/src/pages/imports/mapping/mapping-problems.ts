import { type FileKind, fieldsOf, isAttributeName, profilePrefix } from './fields.ts'
import type { Mapping } from './guess.ts'

/** What is wrong with the choice for each column; empty if nothing is. */
export const columnProblems = ({ targets }: Pick<Mapping, 'targets'>): string[] =>
  targets.map((target) => {
    if (target === '') return ''
    if (target.startsWith(profilePrefix) && !isAttributeName(target.slice(profilePrefix.length)))
      return 'Letters, digits and underscores; it does not begin with a digit.'
    return targets.filter((each) => each === target).length > 1 ? 'Chosen for another column, too.' : ''
  })

const labelOf = (kind: FileKind, name: string): string =>
  fieldsOf[kind].find((field) => field.name === name)?.label ?? ''

/** What the file as a whole lacks; null if it can be checked. */
export function fileProblem({ targets }: Pick<Mapping, 'targets'>, kind: FileKind): string | null {
  const hasOneOf = (...names: string[]): boolean => names.some((name) => targets.includes(name))
  if (kind === 'people' && !hasOneOf('email', 'employeeId'))
    return `Choose a column as “${labelOf(kind, 'email')}” or “${labelOf(kind, 'employeeId')}”.`
  if (kind === 'people' && !hasOneOf('email', 'displayName', 'firstName', 'lastName'))
    return `Choose a column as “${labelOf(kind, 'displayName')}”.`
  if (kind === 'members' && !hasOneOf('account', 'accountEmail'))
    return `Choose a column as “${labelOf(kind, 'account')}” or “${labelOf(kind, 'accountEmail')}”.`
  return null
}
