import { isSingleLine, singleLineHint } from '#kernel/single-line.ts'
import { objectText, type Shape, struct } from '#kernel/wire.ts'
import type { Annotations } from './records.ts'

export const nameLength = 200
export const descriptionLength = 10_000
/** How many ids a filter may name. */
export const idsMax = 1000
/** How many owners of a kind can be set at creation; together they are limited by what a Set request allows. */
export const ownersMax = 1000
/** How long a search text may be. */
export const queryLength = 1000

const annotationsMax = 100
const annotationNameLength = 200
const annotationLength = 4000
// In total: a page has 100 records, and 100 times 400 kB would fill the memory.
const annotationsLength = 65_536

const anyObject = struct()

/** Names and texts that the caller chooses. */
export const annotationsShape: Shape<Annotations> = {
  unset: {},
  schema: { type: 'object', additionalProperties: { type: 'string' } },
  messages: [],
  write: (value) => value ?? {},
  text: (value) => objectText(value ?? {}),
  read(json, at, problems) {
    const before = problems.length
    const given = anyObject.read(json, at, problems)
    if (given === null || problems.length > before) return {}
    const entries = Object.entries(given)
    if (entries.length > annotationsMax)
      problems.push({ field: at, description: `must have at most ${annotationsMax} entries` })
    for (const [name, value] of entries.slice(0, annotationsMax))
      if (name === '' || name.length > annotationNameLength || !isSingleLine(name))
        problems.push({
          field: at,
          description: `must have names of 1 to ${annotationNameLength} characters; each ${singleLineHint}`,
        })
      else if (typeof value !== 'string' || value.length > annotationLength)
        problems.push({
          field: `${at}.${name}`,
          description: `must be a string of at most ${annotationLength} characters`,
        })
    if (problems.length === before && JSON.stringify(given).length > annotationsLength)
      problems.push({ field: at, description: `must have at most ${annotationsLength} characters in all` })
    return given as Annotations
  },
}
