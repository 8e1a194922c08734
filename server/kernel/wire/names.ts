export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
// No field has a longer name, in any spelling.
const nameLengthMax = 100
const upper = (_: string, letter: string): string => letter.toUpperCase()
/**
 * The name of a field in this program, whichever spelling was sent. A megabyte of `_a` would take 60 ms, and is not a
 * name.
 */
export const camel = (name: string): string =>
  name.length > nameLengthMax || !name.includes('_') ? name : name.replace(/_([a-z0-9])/g, upper)
export const join = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`)

/** Whether a field is sent in both spellings, with different values: one of the two would be lost. */
export const isTwice = (from: Record<string, unknown>, name: string, other: string): boolean =>
  name !== other &&
  Object.hasOwn(from, name) &&
  Object.hasOwn(from, other) &&
  JSON.stringify(from[name]) !== JSON.stringify(from[other])
