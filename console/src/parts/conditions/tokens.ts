/** Why an expression cannot be shown as conditions: a sentence for the reader. */
export class NotShown extends Error {}

export type Token = { kind: 'name' | 'text' | 'sign' | 'end'; text: string }

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\', '"': '"', "'": "'" }
const signs = ['&&', '||', '==', '!=', '!', '(', ')', '[', ']', ',', '.']
const space = /\s+/y
const name = /[A-Za-z_]\w*/y
const number = /\d/y

/** A literal as `"Sales"`; null where none begins. Raw texts, bytes and texts of several lines are not shown. */
function textFrom(source: string, from: number): { text: string; to: number } | null {
  const quote = source[from]
  if (quote !== '"' && quote !== "'") return null
  if (source.startsWith(quote.repeat(3), from)) throw new NotShown('It has a text of several lines.')
  let text = ''
  for (let at = from + 1; at < source.length; at++) {
    const character = source[at] as string
    if (character === quote) return { text, to: at + 1 }
    if (character === '\n') break
    const escaped = character === '\\' ? escapes[source[++at] ?? ''] : character
    if (escaped === undefined) throw new NotShown('It has a text with an escape sequence such as \\u00e5.')
    text += escaped
  }
  throw new NotShown('A text has no end.')
}

const matchAt = (pattern: RegExp, source: string, at: number): string | null => {
  pattern.lastIndex = at
  return pattern.exec(source)?.[0] ?? null
}

function tokenAt(source: string, at: number): { token: Token; to: number } {
  const text = textFrom(source, at)
  if (text) return { token: { kind: 'text', text: text.text }, to: text.to }
  const word = matchAt(name, source, at)
  if (word !== null) {
    const to = at + word.length
    // r"…" and b"…", in all their spellings.
    if (/^["']/.test(source.slice(to)) && /^[rb]{1,2}$/i.test(word)) throw new NotShown('It has a raw text or bytes.')
    return { token: { kind: 'name', text: word }, to }
  }
  if (source.startsWith('//', at)) throw new NotShown('It has a comment, which would be lost.')
  if (matchAt(number, source, at) !== null) throw new NotShown('It has a number.')
  const sign = signs.find((each) => source.startsWith(each, at))
  if (sign === undefined) throw new NotShown(`It uses ${source[at] ?? ''}.`)
  return { token: { kind: 'sign', text: sign }, to: at + sign.length }
}

/** The words and signs of an expression, with an end. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < source.length; ) {
    const between = matchAt(space, source, at)
    if (between !== null) {
      at += between.length
      continue
    }
    const { token, to } = tokenAt(source, at)
    tokens.push(token)
    at = to
  }
  return [...tokens, { kind: 'end', text: '' }]
}
