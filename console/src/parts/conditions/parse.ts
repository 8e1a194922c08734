import {
  type Attribute,
  type AttributeCondition,
  type Comparison,
  conditionsMax,
  depthMax,
  emptyGroup,
  type Group,
  type Item,
} from './model.ts'
import { NotShown, type Token, tokensOf } from './tokens.ts'

/** Constants of the language that are texts, as the documentation of rules lists them. */
export const constants: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  UserStatus: { ENABLED: 'ENABLED', DISABLED: 'DISABLED', DELETED: 'DELETED' },
  DirectoryStatus: { ENABLED: 'ENABLED', DISABLED: 'DISABLED', DELETED: 'DELETED' },
  UserType: {
    HUMAN: 'USER_TYPE_HUMAN',
    SERVICE: 'USER_TYPE_SERVICE',
    SYSTEM: 'USER_TYPE_SYSTEM',
    AGENT: 'USER_TYPE_AGENT',
  },
}

const methods: Readonly<Record<string, Comparison>> = {
  startsWith: 'beginsWith',
  endsWith: 'endsWith',
  contains: 'contains',
}

const camel = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const isSame = (a: Attribute, b: Attribute): boolean => a.kind === b.kind && a.name === b.name

/** Each `has(x) && x == "a"` of a chain is one condition that asks first whether there is a value. */
function merged(items: readonly Item[]): Item[] {
  const out: Item[] = []
  for (const item of items) {
    const before = out.at(-1)
    const isPair =
      before?.kind === 'attribute' &&
      before.comparison === 'isSet' &&
      !before.isNot &&
      item.kind === 'attribute' &&
      item.comparison !== 'isSet' &&
      !item.isNot &&
      !item.isGuarded &&
      item.attribute.kind === 'profile' &&
      isSame(before.attribute, item.attribute)
    if (isPair) out[out.length - 1] = { ...item, isGuarded: true }
    else out.push(item)
  }
  return out
}

/** A chain of `&&` or `||`; chains of the same kind in brackets are part of it. */
function chain(join: Group['join'], items: readonly Item[]): Item {
  const flat = items.flatMap((item) =>
    item.kind === 'group' && item.join === join && !item.isNot ? item.items : [item],
  )
  const own = join === 'and' ? merged(flat) : flat
  const [only, second] = own
  return only && !second ? only : { kind: 'group', join, isNot: false, items: own }
}

/** Reads the part of CEL that conditions can show; refuses everything else with its reason. */
class Reader {
  readonly #tokens: readonly Token[]
  readonly #fields: ReadonlySet<string>
  #at = 0

  constructor(source: string, fields: ReadonlySet<string>) {
    this.#tokens = tokensOf(source)
    this.#fields = fields
  }

  get #next(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '' }
  }

  #take(text: string): boolean {
    const is = this.#next.kind === 'sign' && this.#next.text === text
    if (is) this.#at += 1
    return is
  }

  #need(text: string): void {
    if (!this.#take(text)) throw new NotShown('It is written in a way that conditions cannot show.')
  }

  #word(): string {
    const { kind, text } = this.#next
    if (kind !== 'name') throw new NotShown('It is written in a way that conditions cannot show.')
    this.#at += 1
    return text
  }

  #text(): string {
    const { kind, text } = this.#next
    if (kind === 'name') return this.#constant()
    if (kind !== 'text') throw new NotShown('It compares with something else than a text.')
    this.#at += 1
    return text
  }

  #constant(): string {
    const of = this.#word()
    const named = this.#take('.') ? constants[of]?.[this.#word()] : undefined
    if (named === undefined) throw new NotShown(`It compares with ${of}.`)
    return named
  }

  whole(): Item {
    const item = this.#or()
    if (this.#next.kind !== 'end') throw new NotShown('It is written in a way that conditions cannot show.')
    return item
  }

  #or(): Item {
    const items = [this.#and()]
    while (this.#take('||')) items.push(this.#and())
    return chain('or', items)
  }

  #and(): Item {
    const items = [this.#unary()]
    while (this.#take('&&')) items.push(this.#unary())
    return chain('and', items)
  }

  #unary(): Item {
    if (this.#take('!')) {
      const from = this.#at
      const item = this.#unary()
      // `!a == b` is `(!a) == b`.
      const isBare = !['(', '!'].includes(this.#tokens[from]?.text ?? '')
      if (isBare && item.kind === 'attribute' && ['is', 'oneOf'].includes(item.comparison))
        throw new NotShown('It denies a comparison that is not in brackets.')
      return { ...item, isNot: !item.isNot }
    }
    if (!this.#take('(')) return this.#atom()
    const item = this.#or()
    this.#need(')')
    return item
  }

  #atom(): Item {
    if (this.#next.kind === 'text') return this.#keyOfProfile()
    const word = this.#word()
    if (word === 'has') return this.#has()
    if (word === 'c1') return this.#access()
    if (word !== 'subject') throw new NotShown(`It uses ${word}.`)
    return this.#comparison(this.#attribute())
  }

  /** `"cost center" in subject.profile`: what `has` is for keys that are no names. */
  #keyOfProfile(): Item {
    const key = this.#text()
    const [isIn, isSubject] = [this.#word() === 'in', this.#word() === 'subject']
    this.#need('.')
    if (!isIn || !isSubject || this.#word() !== 'profile' || this.#next.text === '.' || this.#next.text === '[')
      throw new NotShown('It asks whether a text is in a list.')
    return { ...plain, attribute: { kind: 'profile', name: key }, comparison: 'isSet' }
  }

  #has(): Item {
    this.#need('(')
    if (this.#word() !== 'subject') throw new NotShown('It asks for something else than an attribute.')
    const attribute = this.#attribute()
    this.#need(')')
    return { ...plain, attribute, comparison: 'isSet' }
  }

  #attribute(): Attribute {
    this.#need('.')
    const field = camel(this.#word())
    if (field !== 'profile') {
      if (!this.#fields.has(field)) throw new NotShown(`It reads subject.${field}.`)
      return { kind: 'field', name: field }
    }
    if (this.#take('[')) {
      const { kind } = this.#next
      const name = this.#text()
      this.#need(']')
      if (kind !== 'text') throw new NotShown('It reads the profile by a constant.')
      return { kind: 'profile', name }
    }
    this.#need('.')
    return { kind: 'profile', name: this.#word() }
  }

  #comparison(attribute: Attribute): Item {
    const of = { ...plain, attribute }
    if (this.#take('==')) return this.#equal(attribute, false)
    if (this.#take('!=')) return this.#equal(attribute, true)
    if (this.#take('.')) {
      const method = this.#word()
      const comparison = methods[method]
      if (!comparison) throw new NotShown(`It uses ${method}.`)
      this.#need('(')
      const values = [this.#filled()]
      this.#need(')')
      return { ...of, comparison, values }
    }
    if (this.#next.kind === 'name' && this.#next.text === 'in') {
      this.#at += 1
      return { ...of, comparison: 'oneOf', values: this.#list() }
    }
    throw new NotShown('It uses an attribute without a comparison, or compares it in another way.')
  }

  /** A field that is the empty text is not set. A key of the profile with an empty text is. */
  #equal(attribute: Attribute, isNot: boolean): Item {
    const value = this.#text()
    if (value !== '') return { ...plain, attribute, comparison: 'is', values: [value], isNot }
    if (attribute.kind === 'profile') throw new NotShown('It compares with an empty text.')
    return { ...plain, attribute, comparison: 'isSet', isNot: !isNot }
  }

  /** A text, as the editor can show it: one that is empty is a value that is missing there. */
  #filled(): string {
    const text = this.#text()
    if (text === '') throw new NotShown('It compares with an empty text.')
    return text
  }

  #list(): string[] {
    this.#need('[')
    const values: string[] = []
    while (!this.#take(']')) {
      if (values.length > 0) this.#need(',')
      values.push(this.#filled())
    }
    if (values.length === 0) throw new NotShown('It has a list without values.')
    return values
  }

  /** `c1.user.v1.HasApp(subject, "…")`, `c1.user.v1.HasEntitlement(subject, "…", "…")`. */
  #access(): Item {
    const words: string[] = []
    while (this.#take('.')) words.push(this.#word())
    const name = words.join('.')
    if (name !== 'user.v1.HasApp' && name !== 'user.v1.HasEntitlement')
      throw new NotShown(`It uses ${words.at(-1) ?? 'c1'}.`)
    this.#need('(')
    if (this.#word() !== 'subject') throw new NotShown('It asks about the access of somebody else.')
    this.#need(',')
    const appId = this.#text()
    const isOfEntitlement = name.endsWith('HasEntitlement')
    if (isOfEntitlement) this.#need(',')
    const entitlementId = isOfEntitlement ? this.#text() : null
    this.#need(')')
    return { kind: 'access', appId, entitlementId, isNot: false }
  }
}

const plain: AttributeCondition = {
  kind: 'attribute',
  attribute: { kind: 'field', name: '' },
  comparison: 'is',
  values: [],
  isNot: false,
  isGuarded: false,
}

const depthOf = (item: Item): number => (item.kind === 'group' ? 1 + Math.max(0, ...item.items.map(depthOf)) : 0)
const countOf = (item: Item): number =>
  item.kind === 'group' ? item.items.reduce((sum, each) => sum + countOf(each), 0) : 1

export type Parsed = { group: Group; reason: null } | { group: null; reason: string }

/** An expression as conditions, or why it cannot be shown as such. `fields` are the fields of a user that are texts. */
export function parseConditions(source: string, fields: ReadonlySet<string>): Parsed {
  if (source.trim() === '') return { group: emptyGroup, reason: null }
  try {
    const item = new Reader(source, fields).whole()
    const group = item.kind === 'group' ? item : { ...emptyGroup, items: [item] }
    if (depthOf(group) > depthMax) throw new NotShown('Its brackets are nested too deep.')
    if (countOf(group) > conditionsMax) throw new NotShown(`It has more than ${conditionsMax} conditions.`)
    return { group, reason: null }
  } catch (error) {
    if (error instanceof NotShown) return { group: null, reason: error.message }
    throw error
  }
}
