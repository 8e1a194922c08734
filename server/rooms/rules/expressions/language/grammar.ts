import { Problem } from './problem.ts'
import { shown, type Token, tokensOf } from './tokens.ts'

/**
 * Checks the text against CEL's grammar, without building a tree. The library's parser, which runs afterwards, is the
 * authority; this runs before it for three things that it does not do: it reports where the first mistake is, rather than
 * where the last meaningful part began; it limits the depth before anything is recursive; and it refuses quickly (a text of
 * 10 kB takes the library 15 to 60 ms, and this less than one).
 */
export function checkGrammar(source: string): void {
  const reader = new Reader(tokensOf(source))
  reader.expression()
  reader.end()
}

/** How deeply brackets and `?:` may be nested. */
const depthMax = 40
/** How many operators or accesses may follow one another without brackets. `&&` and `||` may be repeated more often. */
const chainMax = 100
const elementsMax = 500
const termsMax = 1000

const reserved = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(' '),
)
const ors = new Set(['||'])
const ands = new Set(['&&'])
const relations = new Set(['<', '<=', '>=', '>', '==', '!=', 'in'])
const sums = new Set(['+', '-'])
const products = new Set(['*', '/', '%'])

class Reader {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0
  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get #next(): Token {
    return this.#tokens[this.#at] as Token
  }

  #is(text: string): boolean {
    return this.#next.text === text && this.#next.kind !== 'literal'
  }

  #skip(text: string): boolean {
    if (!this.#is(text)) return false
    this.#at++
    return true
  }

  #fail(expected: string): never {
    const { kind, text, offset } = this.#next
    throw new Problem(`expected ${expected}, found ${kind === 'end' ? 'the end' : shown(text)}`, offset)
  }

  #demand(text: string, expected = shown(text)): void {
    if (!this.#skip(text)) this.#fail(expected)
  }

  end(): void {
    if (this.#next.kind !== 'end') this.#fail('an operator or the end')
  }

  expression(): void {
    this.#deeper(() => {
      this.#alternatives()
      if (!this.#skip('?')) return
      // According to CEL's grammar, `?:` between them needs brackets.
      this.#alternatives()
      this.#demand(':')
      this.expression()
    })
  }

  #alternatives(): void {
    this.#chain(ors, termsMax, () =>
      this.#chain(ands, termsMax, () =>
        this.#chain(relations, chainMax, () =>
          this.#chain(sums, chainMax, () => this.#chain(products, chainMax, () => this.#unary())),
        ),
      ),
    )
  }

  #deeper(read: () => void): void {
    if (++this.#depth > depthMax) throw new Problem(`nested more than ${depthMax} deep`, this.#next.offset)
    read()
    this.#depth--
  }

  #chain(operators: ReadonlySet<string>, max: number, read: () => void): void {
    read()
    for (let count = 1; this.#next.kind !== 'literal' && operators.has(this.#next.text); count++) {
      if (count >= max) throw new Problem(`more than ${max} in a row`, this.#next.offset)
      this.#at++
      read()
    }
  }

  #unary(): void {
    const first = this.#next.text
    if (this.#is('!') || this.#is('-'))
      for (let count = 1; this.#skip(first); count++)
        if (count >= chainMax) throw new Problem(`more than ${chainMax} in a row`, this.#next.offset)
    this.#primary()
    for (let count = 1; ; count++) {
      if (count >= chainMax) throw new Problem(`more than ${chainMax} in a row`, this.#next.offset)
      if (this.#skip('.')) {
        this.#name()
        if (this.#skip('(')) this.#list(')')
      } else if (this.#skip('[')) {
        this.expression()
        this.#demand(']')
      } else return
    }
  }

  #primary(): void {
    if (this.#skip('(')) {
      this.expression()
      this.#demand(')')
    } else if (this.#skip('[')) this.#list(']')
    else if (this.#skip('{')) this.#entries()
    else if (this.#next.kind === 'literal') this.#at++
    else {
      if (!this.#is('.') && (this.#next.kind !== 'name' || this.#is('in'))) this.#fail('a value')
      this.#skip('.')
      this.#name()
      if (this.#skip('(')) this.#list(')')
    }
  }

  #name(): void {
    const { kind, text, offset } = this.#next
    if (kind !== 'name' || text === 'in') this.#fail('a name')
    if (reserved.has(text)) throw new Problem(`${shown(text)} is a reserved word`, offset)
    this.#at++
  }

  #list(close: ')' | ']'): void {
    for (let count = 0; !this.#skip(close); count++) {
      if (count >= elementsMax) throw new Problem(`a list of more than ${elementsMax}`, this.#next.offset)
      if (count > 0) this.#demand(',', `"," or ${shown(close)}`)
      // Only a list may end with a comma.
      if (close === ']' && count > 0 && this.#skip(close)) return
      this.expression()
    }
  }

  #entries(): void {
    for (let count = 0; !this.#skip('}'); count++) {
      if (count >= elementsMax) throw new Problem(`a map of more than ${elementsMax}`, this.#next.offset)
      if (count > 0) this.#demand(',', '"," or "}"')
      if (count > 0 && this.#skip('}')) return
      this.expression()
      this.#demand(':')
      this.expression()
    }
  }
}
