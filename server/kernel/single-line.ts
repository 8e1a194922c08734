/**
 * Names and addresses are one line that reads as it is written: no control characters or line breaks, and none of the characters that
 * change the direction of the text around them. Marks of a direction (U+200E, U+200F) are part of names and stay.
 */
// oxlint-disable-next-line no-control-regex -- These are what it is about.
const unseen = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/

export const isSingleLine = (text: string): boolean => !unseen.test(text)

export const singleLineHint =
  'must be one line without control characters or characters that change the direction of text'

/** For sources that nobody can be asked to correct: the records of connectors. */
export const toSingleLine = (text: string): string =>
  isSingleLine(text) ? text : text.replace(new RegExp(`(?:${unseen.source})+`, 'g'), ' ').trim()

/** What would end an address, or begin another, in a header. */
const addressEnds = /[\s<>,;"]/

export const isPlainAddress = (text: string): boolean => isSingleLine(text) && !addressEnds.test(text)
