import type { Definition, Example, Version } from '../automation.ts'
import { writtenRefs } from '../automation.ts'

/** A part in which two versions differ; lists have one item per line. */
export type Difference = { field: string; before: string; after: string }

type Told = Pick<Version, 'appId' | 'id' | 'definition' | 'displayName' | 'description' | 'examples'>

const kindOf = ({ kind }: Definition): string => (kind === 'basic' ? 'cel' : kind)
const expressionOf = (definition: Definition): string => ('expression' in definition ? definition.expression : '')
const refsOf = ({ appId, id, definition }: Told): string =>
  definition.kind === 'entitlements'
    ? writtenRefs({ appId, id }, definition)
        .map((ref) => `${ref.appId}/${ref.id}`)
        .join('\n')
    : ''
const whom = (examples: readonly Example[], matches: boolean): string =>
  examples
    .filter((example) => example.matches === matches)
    .map(({ userId }) => userId)
    .join('\n')

/** What is compared, in the order in which it is shown, by its name in the API. */
const parts: readonly (readonly [field: string, of: (told: Told) => string])[] = [
  ['kind', ({ definition }) => kindOf(definition)],
  ['expression', ({ definition }) => expressionOf(definition)],
  ['entitlementRefs', refsOf],
  ['displayName', ({ displayName }) => displayName],
  ['description', ({ description }) => description],
  ['examples.mustMatchUserIds', ({ examples }) => whom(examples, true)],
  ['examples.mustNotMatchUserIds', ({ examples }) => whom(examples, false)],
]

/** The differences between two versions of a rule; in the other direction, `before` and `after` are exchanged. */
export const differencesOf = (from: Told, to: Told): Difference[] =>
  parts
    .map(([field, of]) => ({ field, before: of(from), after: of(to) }))
    .filter(({ before, after }) => before !== after)
