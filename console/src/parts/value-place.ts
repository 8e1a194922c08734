/** What a text that is being typed in an expression is compared with. */
export type ValuePlace = {
  /** Where the text begins, behind its quote. */
  from: number
  quote: string
  /** The part that is typed so far. */
  typed: string
  /** The field, such as `department` or `profile.site`; or `app` and `entitlement`. */
  field: string
  /** Of which app, where it is one of its entitlements. */
  appId: string
}

/** Where the text around the caret begins; null if the caret is not in a text. */
function textAt(text: string, caret: number): { from: number; quote: string } | null {
  let open: { from: number; quote: string } | null = null
  for (let at = 0; at < caret; at++) {
    const character = text[at] as string
    if (open) {
      if (character === '\\') at += 1
      else if (character === open.quote || character === '\n') open = null
    } else if (character === '"' || character === "'") open = { from: at + 1, quote: character }
  }
  return open
}

const camel = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const path = String.raw`subject\.([A-Za-z_][\w.]*?)(?:\.(?:lowerAscii|upperAscii)\(\))?`
const keyed = String.raw`subject\.profile\["([^"\\]+)"\]`
const compared = String.raw`\s*(?:==|!=)\s*$`
const listed = String.raw`\s+in\s*\[[^\]]*$`
const asked = String.raw`\.(?:startsWith|endsWith|contains)\(\s*$`
const places = [
  [new RegExp(`${path}(?:${compared}|${listed}|${asked})`), (name: string) => camel(name)],
  [new RegExp(`${keyed}(?:${compared}|${listed}|${asked})`), (name: string) => `profile.${name}`],
] as const
const ofApp = /\bHas(?:App|Entitlement)\(\s*subject\s*,\s*$/
const ofEntitlement = /\bHasEntitlement\(\s*subject\s*,\s*"([^"\\]*)"\s*,\s*$/

/** What the text before the caret is compared with; null where it is no text, or nothing is known of it. */
export function valuePlaceAt(text: string, caret: number): ValuePlace | null {
  const open = textAt(text, caret)
  if (!open) return null
  const { from, quote } = open
  const about = { from, quote, typed: text.slice(from, caret), appId: '' }
  const before = text.slice(0, from - 1)
  for (const [pattern, fieldOf] of places) {
    const name = pattern.exec(before)?.[1]
    if (name !== undefined) return { ...about, field: fieldOf(name) }
  }
  if (ofApp.test(before)) return { ...about, field: 'app' }
  const appId = ofEntitlement.exec(before)?.[1]
  return appId === undefined ? null : { ...about, field: 'entitlement', appId }
}

export const isInText = (text: string, caret: number): boolean => textAt(text, caret) !== null

/** A value as it is written between these quotes. */
export const written = (value: string, quote: string): string =>
  value.replaceAll(/[\\"'\n\r\t]/g, (character) =>
    character === '\n'
      ? '\\n'
      : character === '\r'
        ? '\\r'
        : character === '\t'
          ? '\\t'
          : character === '\\' || character === quote
            ? `\\${character}`
            : character,
  )

/** How a key of the profile is read. */
export const profileName = (key: string): string =>
  /^[A-Za-z_]\w*$/.test(key) ? `subject.profile.${key}` : `subject.profile["${written(key, '"')}"]`
