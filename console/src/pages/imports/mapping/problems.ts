const spreadsheetError = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|SPILL!)$/i
// A telephone number begins with a plus, and an alias with an @: a formula also has a name and a bracket, or an equals sign.
const formula = /^(?:=|[+\-@][A-Za-z.]+\()/
const shortened = /^\d(?:[.,]\d+)?E\+\d+$/i

/** What a spreadsheet has put into a cell in place of a value; null if nothing is suspicious. */
export function cellProblem(value: string): string | null {
  if (spreadsheetError.test(value)) return 'is an error value of a spreadsheet'
  if (formula.test(value)) return 'looks like a formula'
  if (shortened.test(value)) return 'is a number that a spreadsheet has shortened'
  return null
}

// Control characters, line breaks, and characters that change the direction of the text around them.
// oxlint-disable-next-line no-control-regex -- These are what it is about.
const unseen = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\u200b\ufeff]+/g

/** A value as one line that reads as it is written. */
export const tidied = (value: string): string => value.replace(unseen, ' ').replace(/ {2,}/g, ' ').trim()

const enabled = new Set(
  'enabled active yes y true 1 current employed on onleave leave paidleave working aktiv ja actif oui'.split(' '),
)
const disabled = new Set(
  'disabled inactive no n false 0 terminated left former resigned retired suspended deactivated deleted off offboarded exited inaktiv nein inactif non'.split(
    ' ',
  ),
)

/** Whether somebody may sign in, by the words that other systems use; null if the word is not known. */
export function readStatus(value: string): 'enabled' | 'disabled' | null {
  const word = value.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  return enabled.has(word) ? 'enabled' : disabled.has(word) ? 'disabled' : null
}
