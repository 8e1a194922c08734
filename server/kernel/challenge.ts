/** RFC 6750 section 3: no quotes, backslashes or characters beyond ASCII. */
const quoted = (text: string): string => text.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, '?')

/** The challenge of RFC 6750 section 3, and of RFC 9449 section 7.1 for a token that is bound to a key. */
export const challenge = (
  realm: string,
  { scheme = 'Bearer', error, description }: { scheme?: string; error?: string; description?: string } = {},
): string =>
  `${scheme} realm="${quoted(realm)}"` +
  (error === undefined ? '' : `, error="${error}"`) +
  (description === undefined ? '' : `, error_description="${quoted(description)}"`)
