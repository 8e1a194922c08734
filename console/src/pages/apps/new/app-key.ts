/** The external id for an app with this name: `Source Code (EU)` becomes `source-code-eu`. Empty if the name has no letter or digit. */
export const appKeyOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
