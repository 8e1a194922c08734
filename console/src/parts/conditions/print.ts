import { profileName, written } from '../value-place.ts'
import type { AccessCondition, Attribute, AttributeCondition, Group, Item } from './model.ts'
import { constants } from './parse.ts'

/** In place of what is not chosen yet: no expression, so that nobody saves a part of what they meant. */
const missing = '?'

const text = (value: string): string => `"${written(value, '"')}"`

const constantsOf: Readonly<Record<string, string>> = {
  status: 'UserStatus',
  directoryStatus: 'DirectoryStatus',
  type: 'UserType',
}

/** A value as people write it for this attribute: by its name, if it is a constant. */
function valueOf({ kind, name }: Attribute, value: string): string {
  if (value === '') return missing
  const of = kind === 'field' ? constantsOf[name] : undefined
  const known = of && Object.entries(constants[of] ?? {}).find(([, each]) => each === value)
  return known ? `${of}.${known[0]}` : text(value)
}

const pathOf = ({ kind, name }: Attribute): string => (kind === 'profile' ? profileName(name) : `subject.${name}`)

/** Whether there is a value. Keys that are no names cannot be asked for with `has`. */
const setOf = (attribute: Attribute): string => {
  const path = pathOf(attribute)
  return path.endsWith(']') ? `${text(attribute.name)} in subject.profile` : `has(${path})`
}

const methods = { beginsWith: 'startsWith', endsWith: 'endsWith', contains: 'contains' } as const

function core({ attribute, comparison, values }: AttributeCondition): string {
  const path = pathOf(attribute)
  if (comparison === 'isSet') return setOf(attribute)
  if (comparison === 'oneOf')
    return `${path} in [${values.map((value) => valueOf(attribute, value)).join(', ') || missing}]`
  const value = valueOf(attribute, values[0] ?? '')
  return comparison === 'is' ? `${path} == ${value}` : `${path}.${methods[comparison]}(${value})`
}

const isCall = (printed: string): boolean =>
  printed.endsWith(')') && !printed.includes(' in ') && !printed.includes(' == ')

function printAttribute(condition: AttributeCondition): string {
  const { attribute, comparison, values, isNot } = condition
  const isGuarded = condition.isGuarded && comparison !== 'isSet'
  const positive = core(condition)
  if (isGuarded) return isNot ? `!(${setOf(attribute)} && ${positive})` : `${setOf(attribute)} && ${positive}`
  if (!isNot) return positive
  if (comparison === 'is') return `${pathOf(attribute)} != ${valueOf(attribute, values[0] ?? '')}`
  return comparison !== 'oneOf' && isCall(core({ ...condition, values: [''] })) ? `!${positive}` : `!(${positive})`
}

const idOf = (id: string): string => (id === '' ? missing : text(id))

const printAccess = ({ appId, entitlementId, isNot }: AccessCondition): string => {
  const not = isNot ? '!' : ''
  return entitlementId === null
    ? `${not}c1.user.v1.HasApp(subject, ${idOf(appId)})`
    : `${not}c1.user.v1.HasEntitlement(subject, ${idOf(appId)}, ${idOf(entitlementId)})`
}

const isWhole = (item: Item): boolean =>
  item.kind !== 'attribute' || !item.isGuarded || item.isNot || item.comparison === 'isSet'

function printItem(item: Item, within: Group): string {
  if (item.kind === 'group') {
    const printed = printChain(item) || missing
    return item.isNot ? `!(${printed})` : `(${printed})`
  }
  const printed = item.kind === 'access' ? printAccess(item) : printAttribute(item)
  return isWhole(item) || within.join === 'and' ? printed : `(${printed})`
}

const printChain = (group: Group): string =>
  group.items.map((item) => printItem(item, group)).join(group.join === 'and' ? ' && ' : ' || ')

/** Conditions as an expression: empty, if there are none. */
export function printConditions(group: Group): string {
  const printed = printChain(group)
  return group.isNot && printed !== '' ? `!(${printed})` : printed
}
