import { Refusal } from '#kernel/refusals.ts'

/**
 * What is wrong with an expression, and where: the position in its text. Compiling throws it; compile.ts turns it into a
 * refusal.
 */
export class Problem extends Error {
  readonly offset: number
  constructor(message: string, offset: number) {
    super(message)
    this.name = 'Problem'
    this.offset = offset
  }
}

export type Place = { line: number; column: number }

/** Both from 1, as in editors; columns in characters. */
export function placeOf(source: string, offset: number): Place {
  const before = source.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: Array.from(before.slice(lineStart)).length + 1 }
}

export function refusalOf(source: string, field: string, { message, offset }: Problem): Refusal {
  const { line, column } = placeOf(source, offset)
  const description = `line ${line}, column ${column}: ${message}`
  return new Refusal('EXPRESSION_INVALID', `${field}: ${description}`, {
    metadata: { line: String(line), column: String(column) },
    violations: [{ field, description }],
  })
}

const token = /\.?[A-Za-z_]\w*|\d[\w.]*|"[^"\n]*"?|'[^'\n]*'?|&&|\|\||[=!<>]=|[^\n]/uy

/** The end of the token that begins at a position: a word, a field with its dot, a number, a text, a sign. */
export function endOfToken(source: string, offset: number): number {
  token.lastIndex = offset
  return offset + (token.exec(source)?.[0].length ?? 0)
}
