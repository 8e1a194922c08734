import { isObject } from '../../resource.ts'
import type { Filter } from '../filter.ts'
import type { Change } from '../patch.ts'
import { scimRefusal } from '../refuse.ts'

/** The change to the members of a group: it is determined without reading them. */
export type Membership = { isReplaced: boolean; added: Set<string>; removed: Set<string> }

export const unchanged = (): Membership => ({ isReplaced: false, added: new Set(), removed: new Set() })

/** The ids in a list of members, as they are sent: objects with a value, or bare ids. */
export function idsIn(value: unknown): string[] {
  if (value === undefined || value === null || value === '') return []
  return (Array.isArray(value) ? value : [value]).map((each: unknown) => {
    const id = isObject(each) ? Object.entries(each).find(([name]) => name.toLowerCase() === 'value')?.[1] : each
    const type = isObject(each) ? each['type'] : undefined
    if (typeof type === 'string' && type.toLowerCase() === 'group')
      throw scimRefusal('invalidValue', 'members: groups within groups are not supported.')
    if (typeof id !== 'string' || id === '')
      throw scimRefusal('invalidValue', 'members: each member needs a value, which is the id of a user.')
    return id
  })
}

const isOfUsers = (filter: Filter): boolean =>
  filter.is === 'compare' &&
  filter.by === 'eq' &&
  filter.path.toLowerCase() === 'type' &&
  String(filter.value).toLowerCase() === 'user'

/** The ids that `members[value eq "…"]` selects. */
function chosenBy(filter: Filter): string[] {
  if (filter.is === 'or') return filter.of.flatMap(chosenBy)
  // All members are users: a condition on the type adds nothing.
  if (filter.is === 'and') {
    const [rest, ...others] = filter.of.filter((each) => !isOfUsers(each))
    if (rest && others.length === 0) return chosenBy(rest)
  }
  if (filter.is === 'compare' && filter.by === 'eq' && filter.path.toLowerCase() === 'value')
    return [String(filter.value)]
  throw scimRefusal('invalidPath', 'Members are chosen by value, as in members[value eq "ID"].')
}

/** Adds one operation to the change of the members: for each member, the last operation counts. */
export function fold(into: Membership, { op, filter, sub, value }: Change): void {
  if (sub && sub.name !== 'value') throw scimRefusal('mutability', `members.${sub.name} cannot be changed.`)
  const ids = filter ? chosenBy(filter) : idsIn(value)
  if (op === 'remove' && !filter && ids.length === 0) {
    into.isReplaced = true
    into.added.clear()
    into.removed.clear()
  } else if (op === 'remove')
    for (const id of ids) {
      into.added.delete(id)
      into.removed.add(id)
    }
  else {
    if (filter) throw scimRefusal('mutability', 'A member cannot be changed: remove one and add another.')
    if (op === 'replace') {
      into.isReplaced = true
      into.added.clear()
      into.removed.clear()
    }
    for (const id of ids) {
      into.removed.delete(id)
      into.added.add(id)
    }
  }
}
