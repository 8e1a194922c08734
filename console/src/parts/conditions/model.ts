/** What the editor of conditions shows: a part of CEL, as `parse.ts` reads it and `print.ts` writes it. */

/** An attribute of the person: a field such as `department`, or a key of the profile. */
export type Attribute = { kind: 'field' | 'profile'; name: string }

/** How an attribute is compared; `isSet` needs no value, `oneOf` has several. */
export type Comparison = 'is' | 'oneOf' | 'beginsWith' | 'endsWith' | 'contains' | 'isSet'

export type AttributeCondition = {
  kind: 'attribute'
  attribute: Attribute
  comparison: Comparison
  values: readonly string[]
  isNot: boolean
  /** Asks first whether the profile has the key: without that, the expression fails for people who lack it. */
  isGuarded: boolean
}

/** Whether the person has an entitlement, or an account in an app (`entitlementId` is then null). */
export type AccessCondition = {
  kind: 'access'
  appId: string
  entitlementId: string | null
  isNot: boolean
}

export type Condition = AttributeCondition | AccessCondition
export type Group = { kind: 'group'; join: 'and' | 'or'; isNot: boolean; items: readonly Item[] }
export type Item = Condition | Group

/** Groups within each other: more cannot be shown. */
export const depthMax = 3
/** Conditions in an expression: more cannot be shown. */
export const conditionsMax = 60

export const emptyGroup: Group = { kind: 'group', join: 'and', isNot: false, items: [] }

const isOneText = (comparison: Comparison): boolean => comparison !== 'isSet' && comparison !== 'oneOf'

/** Whether a condition says all that it needs: an unfinished one is no part of a rule yet. */
export const isFinished = (item: Item): boolean =>
  item.kind === 'group'
    ? item.items.length > 0 && item.items.every(isFinished)
    : item.kind === 'access'
      ? item.appId !== '' && item.entitlementId !== ''
      : item.comparison === 'isSet' || (item.values.length > 0 && item.values.every((value) => value !== ''))

/** The same condition with another comparison, with as much of its values as that takes. */
export const withComparison = (condition: AttributeCondition, comparison: Comparison): AttributeCondition => ({
  ...condition,
  comparison,
  values:
    comparison === 'isSet'
      ? []
      : isOneText(comparison)
        ? condition.values.slice(0, 1)
        : condition.values.filter((value) => value !== ''),
})

export const newCondition = (attribute: Attribute): AttributeCondition => ({
  kind: 'attribute',
  attribute,
  comparison: 'is',
  values: [],
  isNot: false,
  isGuarded: attribute.kind === 'profile',
})

const notTexts: ReadonlySet<string> = new Set(['emails', 'usernames', 'employeeIds', 'profile', 'attributes'])

/** The fields of a user that are texts, of the names that expressions know. */
export const textFields = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.flatMap((name) => /^subject\.(\w+)$/.exec(name)?.[1] ?? []).filter((name) => !notTexts.has(name)))

/** The attributes that conditions can be about: of the names that expressions know, and that the API says of the profile. */
export const attributesOf = (names: readonly string[]): Attribute[] => [
  ...[...textFields(names)].map((name) => ({ kind: 'field' as const, name })),
  ...names.flatMap((name) => {
    const key = /^subject\.profile\.(\w+)$/.exec(name)?.[1] ?? quotedKey(name)
    return key === null ? [] : [{ kind: 'profile' as const, name: key }]
  }),
]

function quotedKey(name: string): string | null {
  const quoted = /^subject\.profile\[("(?:[^"\\]|\\.)*")\]$/.exec(name)?.[1]
  return quoted === undefined ? null : (JSON.parse(quoted) as string)
}

/** `Job title` of `jobTitle`; keys of the profile as they are. */
export const attributeLabel = ({ kind, name }: Attribute): string => {
  if (kind === 'profile') return name
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
