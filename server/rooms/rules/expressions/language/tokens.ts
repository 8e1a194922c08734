import { Problem } from './problem.ts'

export type Token = { kind: 'name' | 'literal' | 'sign' | 'end'; text: string; offset: number }

// CEL's definition, "Syntax". Sticky, tried in this order; none of them can take more than linear time.
const space = /(?:[\t\n\f\r ]|\/\/[^\n]*)+/y
const text =
  /[bB]?(?:"""(?:[^"\\]|\\[^]|"(?!""))*"""|'''(?:[^'\\]|\\[^]|'(?!''))*'''|"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*')/y
// In a raw text a backslash is a backslash.
const rawText = /[bB]?[rR](?:"""(?:[^"]|"(?!""))*"""|'''(?:[^']|'(?!''))*'''|"[^"\r\n]*"|'[^'\r\n]*')/y
const number = /(?:0x[0-9a-fA-F]+[uU]?|\d*\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\d+[uU]?)/y
const name = /[A-Za-z_][A-Za-z0-9_]*/y
const sign = /&&|\|\||[<>=!]=|[<>!?:.,()[\]{}+\-*/%]/y

const take = (pattern: RegExp, source: string, at: number): string | null => {
  pattern.lastIndex = at
  return pattern.exec(source)?.[0] ?? null
}

const literalNames = new Set(['true', 'false', 'null'])

export function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  for (;;) {
    at += take(space, source, at)?.length ?? 0
    if (at >= source.length) break
    const literal = take(rawText, source, at) ?? take(text, source, at) ?? take(number, source, at)
    const word = literal === null ? take(name, source, at) : null
    const found = literal ?? word ?? take(sign, source, at)
    if (found === null) throw new Problem(strayCharacter(source, at), at)
    const isLiteral = literal !== null || (word !== null && literalNames.has(word))
    tokens.push({ kind: isLiteral ? 'literal' : word === null ? 'sign' : 'name', text: found, offset: at })
    at += found.length
  }
  return [...tokens, { kind: 'end', text: '', offset: source.length }]
}

function strayCharacter(source: string, at: number): string {
  const character = String.fromCodePoint(source.codePointAt(at) as number)
  if (character === '"' || character === "'") return 'this string is not terminated'
  const meant = { '=': '==', '&': '&&', '|': '||' }[character]
  return `${shown(character)} has no meaning here${meant ? `; did you mean ${meant}?` : ''}`
}

/** In a form that fits into any message. */
export const shown = (found: string): string => {
  const short = Array.from(found).slice(0, 40).join('')
  return JSON.stringify(found === short ? short : `${short}…`)
}
