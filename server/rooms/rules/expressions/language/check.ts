import { isCelError, plan } from '@bufbuild/cel'
import { costs, matchable } from '../budget.ts'
import { type Held, heldKey, type Path, type SubjectField, type Tells } from '../expression.ts'
import {
  findRecordField,
  findRoot,
  isKeyScope,
  isRecordRoot,
  isRoot,
  type Lookup,
  lookups,
  missingFields,
  missingFunctions,
  type RecordRoot,
  type Root,
  recordConstants,
  rootsIn,
  type Scope,
  typeOfRoot,
} from '../scope.ts'
import { constants, findField, showPath, typeOfField } from '../subject.ts'
import { environment, functionNames, overloadsOf, patternOf } from './language.ts'
import { hasUnicodeClass, patternSize } from './patterns.ts'
import { Problem } from './problem.ts'
import { shown } from './tokens.ts'
import {
  type Call,
  type Comprehension,
  call,
  callOf,
  comprehension,
  countParts,
  type Expr,
  findDeep,
  identifier,
  intConstant,
  list,
  nameOf,
  qualifiedName,
  type Select,
  select,
  textConstant,
  textOf,
} from './tree.ts'
import { urlFunctionNames } from './urls.ts'

/**
 * Finds out what the names in an expression mean, refuses what certainly fails, and writes the expression anew in fewer
 * words, for evaluation and for SQL: `subject.job_title` becomes the variable `subject.jobTitle`, a call of HasApp a
 * variable of its own, the macros are counted. Node ids stay, so that the places in the text are still known.
 */
export type Checked = {
  tree: Expr
  fields: ReadonlySet<SubjectField>
  paths: readonly Path[]
  entitlements: readonly Held[]
  apps: readonly string[]
  isClocked: boolean
  /** What it looks at, and which fields of it. A user who stands by themselves is looked at in all fields. */
  roots: ReadonlySet<Root>
  recordFields: readonly { root: RecordRoot; field: string }[]
  tells: Tells
  placeOf(id: bigint): number
}

/**
 * What a value is, as far as it is known before there is a user; `dyn` is anything. `user` and `users` are one person, and a
 * list of people.
 */
type Type = string
type Typed = { tree: Expr; type: Type }
/** Variables of the macros around. */
type Variables = ReadonlyMap<string, Type>

// Brackets and operators in a row are bounded by the grammar, but each may be in the other.
const treeDepthMax = 200
const macroDepthMax = 2
const macrosMax = 50

export const fieldVariable = (field: SubjectField): string => `subject.${field}`
export const appVariable = (appId: string): string => `app:${appId}`
export const entitlementVariable = (held: Held): string => `entitlement:${heldKey(held)}`
export const recordVariable = (root: RecordRoot, field: string): string => `${root}.${field}`
/** A look-up is a function of its own: `@` is in no name that a caller can write. */
const lookupFunction = (name: Lookup['name']): string => `@${name}`

export function check(
  source: string,
  parsed: { expr: Expr; sourceInfo?: { positions: Record<string, number> } | undefined },
  scope: Scope = 'rule',
): Checked {
  const positions = parsed.sourceInfo?.positions ?? {}
  // The library has an operator begin at the space before it.
  const placeOf = (id: bigint): number => {
    const offset = positions[String(id)] ?? 0
    return offset + (/^\s*/.exec(source.slice(offset))?.[0].length ?? 0)
  }
  const deep = findDeep(parsed.expr, treeDepthMax)
  if (deep) throw new Problem('nested too deeply', placeOf(deep.id))
  const checker = new Checker(placeOf, scope)
  const { tree, type } = checker.check(parsed.expr, new Map())
  const { types, what } = resultOf(scope)
  if (!isPerhaps(type, ...types)) {
    throw new Problem(`the expression must be ${what}, but is ${aType(type)}`, placeOf(parsed.expr.id))
  }
  const { fields, paths, entitlements, apps, isClocked, roots, recordFields } = checker
  return {
    tree,
    fields,
    paths: [...paths.values()],
    entitlements: [...entitlements.values()],
    apps: [...apps],
    isClocked,
    roots,
    recordFields: [...recordFields.values()],
    tells: checker.tells(),
    placeOf,
  }
}

function resultOf(scope: Scope): { types: readonly Type[]; what: string } {
  if (scope === 'approvers') return { types: ['user', 'users', 'list'], what: 'a user or a list of users' }
  if (scope === 'accountKey' || scope === 'userKey') return { types: ['string'], what: 'a string' }
  if (scope === 'accountField')
    return { types: ['string', 'bool', 'int', 'double', 'list', 'map'], what: 'a value of an account' }
  return { types: ['bool'], what: 'a bool' }
}

const nameOfType = (type: Type): string =>
  type === 'users' ? 'list of users' : type.replace('google.protobuf.', '').replace('_type', '').toLowerCase()
/** With its article. */
const aType = (type: Type): string => `${type === 'int' ? 'an' : 'a'} ${nameOfType(type)}`
const isPerhaps = (type: Type, ...wanted: Type[]): boolean => type === 'dyn' || wanted.includes(type)

class Checker {
  readonly fields = new Set<SubjectField>()
  readonly paths = new Map<string, Path>()
  readonly entitlements = new Map<string, Held>()
  readonly apps = new Set<string>()
  readonly roots = new Set<Root>()
  readonly recordFields = new Map<string, { root: RecordRoot; field: string }>()
  isClocked = false
  /** Whether there are users as values, of which it may not be known that they are users. */
  #hasUsers = false
  readonly #userFields = new Set<SubjectField>()
  readonly #perhapsRead = new Set<SubjectField | 'any'>()
  readonly #lookups = new Map<Lookup['name'], Pick<Lookup, 'name' | 'about'>>()
  readonly #scope: Scope
  #macroDepth = 0
  #macros = 0
  #patternSizes = 0
  readonly #placeOf: (id: bigint) => number

  constructor(placeOf: (id: bigint) => number, scope: Scope) {
    this.#placeOf = placeOf
    this.#scope = scope
  }

  #constants(name: string): ReadonlyMap<string, string> | undefined {
    return constants.get(name) ?? (this.#scope === 'rule' ? undefined : recordConstants.get(name))
  }

  tells(): Tells {
    return {
      roots: [...this.roots],
      fields: [...new Set([...this.fields, ...this.#userFields, ...(this.#hasUsers ? this.#perhapsRead : [])])],
      entitlements: [...this.entitlements.values()],
      apps: [...this.apps],
      lookups: [...this.#lookups.values()],
    }
  }

  /** Notes a field of what is a user perhaps; which field is not known where there is no name. */
  #mayRead(type: Type, name: string | null): void {
    if (!isPerhaps(type, 'map')) return
    const field = name === null ? 'any' : findField(name)
    if (field) this.#perhapsRead.add(field)
  }

  /** A name that means something here, unless a macro around uses it for its own. */
  #root(name: string | null, variables: Variables): Root | null {
    return name !== null && !variables.has(name) ? findRoot(this.#scope, name) : null
  }

  #fail(at: Expr, message: string): never {
    throw new Problem(message, this.#placeOf(at.id))
  }

  /** `isPart`: of a longer path, which was noted already. */
  check(tree: Expr, variables: Variables, isPart = false): Typed {
    const path = pathOf(tree)
    if (path && !isPart) this.paths.set(showPath(path), path)
    const { exprKind } = tree
    switch (exprKind.case) {
      case 'constExpr':
        return this.#constant(tree)
      case 'identExpr':
        return this.#identifier(tree, exprKind.value.name, variables)
      case 'selectExpr':
        return this.#select(tree, exprKind.value, variables, path !== null)
      case 'callExpr':
        return this.#call(tree, exprKind.value, variables, path !== null)
      case 'listExpr': {
        const elements = exprKind.value.elements.map((each) => this.check(each, variables))
        const isPeople = elements.length > 0 && elements.every(({ type }) => type === 'user')
        return {
          tree: list(
            tree.id,
            elements.map((each) => each.tree),
          ),
          type: isPeople ? 'users' : 'list',
        }
      }
      case 'structExpr': {
        if (exprKind.value.messageName !== '')
          this.#fail(tree, `there are no messages such as ${shown(exprKind.value.messageName)}`)
        // A user is equal to a map of the same fields.
        this.#mayRead('map', null)
        const entries = exprKind.value.entries.map((entry) => {
          if (entry.keyKind.case !== 'mapKey' || !entry.value) this.#fail(tree, 'a key without a value')
          const value = this.check(entry.keyKind.value, variables)
          if (!isPerhaps(value.type, 'string', 'int', 'uint', 'bool'))
            this.#fail(entry.keyKind.value, `${aType(value.type)} cannot be a key`)
          return {
            ...entry,
            keyKind: { case: 'mapKey' as const, value: value.tree },
            value: this.check(entry.value, variables).tree,
          }
        })
        return {
          tree: { ...tree, exprKind: { case: 'structExpr', value: { ...exprKind.value, entries } } },
          type: 'map',
        }
      }
      case 'comprehensionExpr':
        return this.#macro(tree, exprKind.value, variables)
      case undefined:
        return this.#fail(tree, 'this is not a valid expression')
    }
  }

  #constant(tree: Expr): Typed {
    const kind = tree.exprKind.case === 'constExpr' ? tree.exprKind.value.constantKind : { case: undefined }
    switch (kind.case) {
      case 'int64Value':
        if (BigInt.asIntN(64, kind.value) !== kind.value) this.#fail(tree, 'an int has at most 64 bits')
        return { tree, type: 'int' }
      case 'uint64Value':
        if (BigInt.asUintN(64, kind.value) !== kind.value) this.#fail(tree, 'a uint has at most 64 bits')
        return { tree, type: 'uint' }
      case 'doubleValue':
        if (!Number.isFinite(kind.value)) this.#fail(tree, 'a number that is too large')
        return { tree, type: 'double' }
      case 'stringValue':
        return { tree, type: 'string' }
      case 'boolValue':
        return { tree, type: 'bool' }
      case 'nullValue':
        return { tree, type: 'null_type' }
      case 'bytesValue':
        return { tree, type: 'bytes' }
      case 'durationValue':
      case 'timestampValue':
      case undefined:
        return this.#fail(tree, 'this is not a valid constant')
    }
  }

  #identifier(tree: Expr, name: string, variables: Variables): Typed {
    const type = variables.get(name)
    if (type !== undefined) return { tree, type }
    const root = this.#root(name, variables)
    if (root === 'subject' && (this.#scope === 'rule' || isKeyScope(this.#scope)))
      this.#fail(tree, 'subject must be used with one of its fields, as in subject.department')
    if (root && isRecordRoot(root)) this.#fail(tree, `${root} must be used with one of its fields, as in ${root}.id`)
    if (root) {
      this.roots.add(root)
      const kind = typeOfRoot(root)
      if (kind === 'user' || kind === 'users') this.#hasUsers = true
      return { tree, type: kind }
    }
    const values = this.#constants(name)
    if (values) this.#fail(tree, `${name} must be used with one of its values, as in ${name}.${[...values.keys()][2]}`)
    if (this.#scope === 'rule')
      this.#fail(tree, `there is no ${shown(name)}; a user's fields are in subject, as in subject.department`)
    return this.#fail(tree, `there is no ${shown(name)}; expressions here can use ${rootsIn(this.#scope).join(', ')}`)
  }

  /** A field of a task, an account or an entitlement. */
  #recordField(tree: Expr, root: RecordRoot, name: string): { variable: Expr; type: Type } {
    const found = findRecordField(root, name)
    if (!found) {
      const missing = Object.hasOwn(missingFields, `${root}.${name}`) ? missingFields[`${root}.${name}`] : undefined
      if (missing) this.#fail(tree, `${root}.${name} is not supported: ${missing}`)
      this.#fail(tree, `${root} has no field ${shown(name)}`)
    }
    const { field, type } = found
    this.roots.add(root)
    const variable = recordVariable(root, field)
    this.recordFields.set(variable, { root, field })
    const isMoment = type === 'Timestamp' || type === 'Duration'
    return { variable: identifier(tree.id, variable), type: isMoment ? `google.protobuf.${type}` : type }
  }

  /** A field of what is known by name, or null where it is not. */
  #rootField(at: Expr, root: Root | null, name: string): { variable: Expr; type: Type } | null {
    if (root === 'subject') return this.#field(at, name)
    return root && isRecordRoot(root) ? this.#recordField(at, root, name) : null
  }

  /** A field of any user. */
  #userField(at: Expr, operand: Expr, name: string): { variable: Expr; type: Type } {
    const field = findField(name)
    if (!field) this.#fail(at, `a user has no field ${shown(name)}`)
    this.#userFields.add(field)
    return {
      variable: select(at.id, { $typeName: 'cel.expr.Expr.Select', operand, field, testOnly: false }),
      type: typeOfField(field),
    }
  }

  /** As protobuf has it: a field is set when it is not empty. The published `subject` is a message. */
  #isSet(tree: Expr, { variable, type }: { variable: Expr; type: Type }): Typed {
    if (type === 'bool') return { tree: variable, type: 'bool' }
    // A moment is always set: `task.createdAt`, and of a duration nought is for good.
    if (type.startsWith('google.protobuf.')) return { tree: call(tree.id, '_==_', [variable, variable]), type: 'bool' }
    const isSet =
      type === 'string'
        ? call(tree.id, '_!=_', [variable, textConstant(tree.id, '')])
        : type === 'int'
          ? call(tree.id, '_!=_', [variable, intConstant(tree.id, 0n)])
          : call(tree.id, '_>_', [call(tree.id, 'size', [variable]), intConstant(tree.id, 0n)])
    return { tree: isSet, type: 'bool' }
  }

  #field(tree: Expr, name: string): { variable: Expr; type: Type } {
    const field = findField(name)
    if (!field) this.#fail(tree, `subject has no field ${shown(name)}`)
    this.fields.add(field)
    this.roots.add('subject')
    return { variable: identifier(tree.id, fieldVariable(field)), type: typeOfField(field) }
  }

  #select(tree: Expr, { operand, field, testOnly, $typeName }: Select, variables: Variables, isPath: boolean): Typed {
    if (!operand) this.#fail(tree, 'a field of nothing')
    const of = nameOf(operand)
    const known = this.#rootField(tree, this.#root(of, variables), field)
    if (known) return testOnly ? this.#isSet(tree, known) : { tree: known.variable, type: known.type }
    const values = of === null || variables.has(of) ? undefined : this.#constants(of)
    if (values) {
      const value = values.get(field)
      if (value === undefined) this.#fail(tree, `${of} has no value ${shown(field)}`)
      return { tree: textConstant(tree.id, value), type: 'string' }
    }
    const inner = this.check(operand, variables, isPath)
    if (inner.type === 'user') {
      const found = this.#userField(tree, inner.tree, field)
      return testOnly ? this.#isSet(tree, found) : { tree: found.variable, type: found.type }
    }
    this.#mayRead(inner.type, field)
    if (!isPerhaps(inner.type, 'map')) this.#fail(tree, `${aType(inner.type)} has no fields, so no ${shown(field)}`)
    return {
      tree: select(tree.id, { $typeName, operand: inner.tree, field, testOnly }),
      type: testOnly ? 'bool' : 'dyn',
    }
  }

  #call(tree: Expr, value: Call, variables: Variables, isPath: boolean): Typed {
    const { function: name, target, args } = value
    const qualified = target ? qualifiedName(target) : null
    const root = qualified?.split('.')[0] ?? ''
    if (root === 'c1' && !variables.has(root)) {
      const full = `${qualified}.${name}`
      return this.#scope === 'rule' ? this.#holds(tree, full, args) : this.#lookup(tree, full, args, variables)
    }
    if (name === '@not_strictly_false')
      return { tree: call(tree.id, name, [this.check(args[0] as Expr, variables).tree]), type: 'bool' }
    if (name === 'has') this.#fail(tree, 'has() takes a field, as in has(subject.profile.site)')
    if (['all', 'exists', 'exists_one', 'existsOne', 'filter', 'map'].includes(name) && target)
      this.#fail(tree, `${name}() takes a name and an expression, as in subject.emails.${name}(e, e != "")`)
    const isOfClaims = this.#scope === 'claims' && urlFunctionNames.has(name)
    if (!functionNames.has(name) && !isOfClaims) this.#fail(tree, `there is no function ${shown(name)}`)

    if (name === '_[_]') return this.#index(tree, args, variables, isPath)
    const given = [...(target ? [target] : []), ...args].map((each) => this.check(each, variables))
    const [subject, others] = target ? [given[0], given.slice(1)] : [undefined, given]
    const rewritten = call(
      tree.id,
      name,
      others.map((each) => each.tree),
      subject?.tree,
    )
    if (name === 'now' && (isKeyScope(this.#scope) || this.#scope === 'claims'))
      this.#fail(tree, 'now() cannot be used here')
    if (name === 'now') this.isClocked = true
    if (name === '_&&_' || name === '_||_') {
      const sign = name.slice(1, 3)
      for (const [at, each] of others.entries()) this.#demandBool(args[at] as Expr, each.type, `${sign} takes bools`)
      return { tree: rewritten, type: 'bool' }
    }
    if (name === '_?_:_') {
      this.#demandBool(args[0] as Expr, others[0]?.type as Type, 'the operand before ? must be a bool')
      const [, yes, no] = others
      return { tree: rewritten, type: yes?.type === no?.type ? (yes?.type as Type) : 'dyn' }
    }
    const type = this.#resultOf(
      tree,
      name,
      subject?.type,
      others.map((each) => each.type),
    )
    if (name === 'matches') this.#pattern(args[0] as Expr)
    if (['timestamp', 'duration', 'int', 'double', 'bool'].includes(name) && args[0]?.exprKind.case === 'constExpr') {
      const result = plan(environment, rewritten)()
      if (isCelError(result)) this.#fail(args[0], result.message)
    }
    return { tree: rewritten, type }
  }

  #demandBool(at: Expr, type: Type, rule: string): void {
    if (!isPerhaps(type, 'bool')) this.#fail(at, `${rule}, and this is ${aType(type)}`)
  }

  /** By the types that the functions of this name take: refused where none of them can be meant. */
  #resultOf(tree: Expr, name: string, target: Type | undefined, args: readonly Type[]): Type {
    const overloads = overloadsOf(name)
    const fits = (given: Type, taken: Type): boolean =>
      given === 'dyn' || taken === 'dyn' || (given === 'users' ? 'list' : given) === taken
    const meant = overloads.filter(
      (each) =>
        (each.target === undefined) === (target === undefined) &&
        (target === undefined || fits(target, each.target?.name ?? '')) &&
        each.arguments.length === args.length &&
        each.arguments.every((taken, at) => fits(args[at] as Type, taken.name)),
    )
    if (meant.length === 0) {
      const sign = /^_?([^_a-z]+)_$/.exec(name)?.[1]
      const taken = args.map(aType)
      if (name === '@in') this.#fail(tree, `in cannot be used with ${taken.join(' and ')}`)
      if (sign) this.#fail(tree, `${sign} cannot be used with ${taken.join(' and ')}`)
      const shape = target === undefined ? '' : `${nameOfType(target)}.`
      this.#fail(tree, `there is no ${shape}${name}(${args.map(nameOfType).join(', ')})`)
    }
    if (name === '_+_' && args.every((each) => each === 'users')) return 'users'
    const results = new Set(meant.map(({ result }) => result.name))
    return results.size === 1 ? ([...results][0] as Type) : 'dyn'
  }

  #index(tree: Expr, args: readonly Expr[], variables: Variables, isPath: boolean): Typed {
    const [operand, key] = args as [Expr, Expr]
    const root = this.#root(nameOf(operand), variables)
    if (root === 'subject' || (root && isRecordRoot(root))) {
      const name = textOf(key)
      if (name === null) this.#fail(key, `the field of ${root} must be a literal, as in ${exampleOf(root)}`)
      const { variable, type } = this.#rootField(key, root, name) as { variable: Expr; type: Type }
      return { tree: variable, type }
    }
    const [inner, index] = [this.check(operand, variables, isPath), this.check(key, variables)]
    if (inner.type === 'user') {
      const name = textOf(key)
      if (name === null) this.#fail(key, 'the field of a user must be a literal')
      const { variable, type } = this.#userField(key, inner.tree, name)
      return { tree: variable, type }
    }
    if (!isPerhaps(inner.type, 'map', 'list', 'users')) this.#fail(tree, `${aType(inner.type)} has no elements`)
    if (isPerhaps(index.type, 'string')) this.#mayRead(inner.type, textOf(key))
    const isList = inner.type === 'list' || inner.type === 'users'
    const wanted = isList ? ['int', 'uint', 'double'] : ['int', 'uint', 'double', 'string', 'bool']
    if (!isPerhaps(index.type, ...wanted))
      this.#fail(key, `${aType(inner.type)} has no element by ${aType(index.type)}`)
    return {
      tree: call(tree.id, '_[_]', [inner.tree, index.tree]),
      type: inner.type === 'users' ? 'user' : 'dyn',
    }
  }

  #pattern(at: Expr): void {
    const pattern = textOf(at)
    if (pattern === null) this.#fail(at, 'the pattern of matches() must be a string literal')
    const size = patternSize(pattern)
    this.#patternSizes += size
    if (size > matchable.patternMax)
      this.#fail(at, `a pattern of more than ${matchable.patternMax} characters, repetitions counted`)
    if (this.#patternSizes > matchable.patternsMax)
      this.#fail(at, `patterns of more than ${matchable.patternsMax} characters together, repetitions counted`)
    if (hasUnicodeClass(pattern)) this.#fail(at, 'there are no Unicode classes in patterns')
    try {
      patternOf(pattern)
    } catch (error) {
      this.#fail(at, `RE2 does not accept this pattern: ${(error as Error).message}`)
    }
  }

  /** `c1.user.v1.HasApp` and `HasEntitlement`, about this user, of what is written out: so it is known what they read. */
  #holds(tree: Expr, name: string, args: readonly Expr[]): Typed {
    const shape = {
      'c1.user.v1.HasApp': '(subject, "app id")',
      'c1.user.v1.HasEntitlement': '(subject, "app id", "entitlement id")',
    }[name]
    if (shape === undefined) this.#fail(tree, `there is no function ${shown(name)}`)
    const [about, ...ids] = args
    const texts = ids.map((each) => textOf(each))
    const isApp = name.endsWith('HasApp')
    if (!about || nameOf(about) !== 'subject' || texts.length !== (isApp ? 1 : 2) || texts.includes(null))
      this.#fail(tree, `write it as ${name}${shape}, with the ids as string literals`)
    const [appId, id] = texts as [string, string]
    for (const [at, text] of (texts as string[]).entries())
      if (!/^[0-9A-Za-z]{27}$/.test(text))
        this.#fail(ids[at] as Expr, `${shown(text)} is not an id: an id has 27 letters and digits`)
    if (isApp) {
      this.apps.add(appId)
      return { tree: identifier(tree.id, appVariable(appId)), type: 'bool' }
    }
    const held = { appId, id }
    this.entitlements.set(heldKey(held), held)
    return { tree: identifier(tree.id, entitlementVariable(held)), type: 'bool' }
  }

  /** What has to be asked of the database: a function that says what it needs, and goes on when it is there. */
  #lookup(tree: Expr, name: string, args: readonly Expr[], variables: Variables): Typed {
    const missing = Object.hasOwn(missingFunctions, name) ? missingFunctions[name] : undefined
    if (missing) this.#fail(tree, `${name} is not supported: ${missing}`)
    const lookup = lookups.get(name)
    if (!lookup) this.#fail(tree, `there is no function ${shown(name)}`)
    if (this.#scope === 'routing') this.#fail(tree, `expressions here can only use entitlement, and have no ${name}`)
    if (isKeyScope(this.#scope) || this.#scope === 'claims')
      this.#fail(tree, `expressions here can use ${rootsIn(this.#scope).join(', ')} only, and have no ${name}`)
    if (args.length !== lookup.takes.length) this.#fail(tree, `write it as ${name}(${shapeOf(lookup)})`)
    const given = args.map((each) => this.check(each, variables))
    for (const [at, taken] of lookup.takes.entries()) {
      const { type } = given[at] as Typed
      const fits = taken === 'users' ? isPerhaps(type, 'user', 'users', 'list') : isPerhaps(type, taken)
      if (!fits) this.#fail(args[at] as Expr, `${name} takes ${shapeOf(lookup)}, and this is ${aType(type)}`)
      const text = textOf(args[at] as Expr)
      if (text !== null && takesId(lookup) && !/^[0-9A-Za-z]{27}$/.test(text))
        this.#fail(args[at] as Expr, `${shown(text)} is not an id: an id has 27 letters and digits`)
    }
    const ids = args.filter((_, at) => lookup.takes[at] === 'string').map((each) => textOf(each))
    const [appId = null, id = null] = ids
    if (lookup.about === 'app' && appId !== null) this.apps.add(appId)
    else if (lookup.about === 'entitlement' && appId !== null && id !== null)
      this.entitlements.set(heldKey({ appId, id }), { appId, id })
    else this.#lookups.set(lookup.name, { name: lookup.name, about: lookup.about })
    if (lookup.gives === 'user' || lookup.gives === 'users') this.#hasUsers = true
    return {
      tree: call(
        tree.id,
        lookupFunction(lookup.name),
        given.map((each) => each.tree),
      ),
      type: lookup.gives,
    }
  }

  #macro(tree: Expr, value: Comprehension, variables: Variables): Typed {
    const { iterRange, iterVar, accuVar, accuInit, loopCondition, loopStep, result } = value
    if (!iterRange || !accuInit || !loopCondition || !loopStep || !result) this.#fail(tree, 'half a macro')
    if (iterVar === 'subject' || iterVar === 'c1' || isRoot(this.#scope, iterVar) || this.#constants(iterVar))
      this.#fail(tree, `${shown(iterVar)} is already defined; choose another name`)
    if (++this.#macros > macrosMax) this.#fail(tree, `more than ${macrosMax} macros`)
    // One after another is not one in another: what it goes through may be made by a macro.
    const range = this.check(iterRange, variables)
    if (++this.#macroDepth > macroDepthMax) this.#fail(tree, `macros can be nested at most ${macroDepthMax} deep`)
    if (!isPerhaps(range.type, 'list', 'map', 'users'))
      this.#fail(iterRange, `${aType(range.type)} has no elements to iterate over`)
    this.#mayRead(range.type, null)
    // The lists that users, accounts and entitlements have by name are of texts.
    const isTexts = range.type === 'list' && /^(?:subject|account|entitlement)\./.test(nameOf(range.tree) ?? '')
    const elements = range.type === 'users' ? 'user' : isTexts ? 'string' : 'dyn'
    const initial = this.check(accuInit, variables)
    const within = new Map([...variables, [iterVar, elements], [accuVar, initial.type]])
    const step = this.check(loopStep, within).tree
    const checked = comprehension(tree.id, {
      ...value,
      iterRange: call(tree.id, '@iterable', [range.tree]),
      accuInit: initial.tree,
      loopCondition: call(tree.id, '@tick', [
        this.check(loopCondition, within).tree,
        intConstant(tree.id, BigInt(costs.iteration + costs.part * countParts(step))),
      ]),
      loopStep: initial.type === 'list' ? appending(step, accuVar) : step,
      result: this.check(result, within).tree,
    })
    this.#macroDepth--
    if (initial.type !== 'list') return { tree: checked, type: 'bool' }
    return { tree: checked, type: elements === 'user' && isFilter(loopStep, iterVar) ? 'users' : 'list' }
  }
}

const exampleOf = (root: Root): string => (root === 'subject' ? 'subject.department' : `${root}.id`)

const takesId = ({ name }: Lookup): boolean => name !== 'FindByEmail' && name !== 'FindByName'

/** Its arguments, as they are written. */
function shapeOf({ name, takes }: Lookup): string {
  if (name === 'FindByEmail') return '"address"'
  if (name === 'FindByName') return '"display name"'
  if (name === 'GetByID') return '"user id"'
  const [first, ...ids] = takes.map((each) => (each === 'string' ? '' : each === 'user' ? 'a user' : 'a user or users'))
  const named =
    first === '' ? ['"app id"', '"entitlement id"'] : [first, ...['"app id"', '"entitlement id"'].slice(0, ids.length)]
  return named.join(', ')
}

/** Whether a macro that makes a list keeps its elements as they are. */
function isFilter(step: Expr, iterVar: string): boolean {
  const made = callOf(step)
  const added = made?.function === '_?_:_' ? callOf(made.args[1] as Expr)?.args[1] : undefined
  const items = added?.exprKind.case === 'listExpr' ? added.exprKind.value.elements : []
  return items.length === 1 && nameOf(items[0] as Expr) === iterVar
}

/** `accu + [item]`, also within `test ? accu + [item] : accu`, as `@append(accu, item)`. */
function appending(step: Expr, accuVar: string): Expr {
  const made = callOf(step)
  if (made?.function === '_?_:_') {
    const [test, yes, no] = made.args as [Expr, Expr, Expr]
    return call(step.id, '_?_:_', [test, appending(yes, accuVar), no])
  }
  const [accu, added] = made?.args ?? []
  const items = added?.exprKind.case === 'listExpr' ? added.exprKind.value.elements : []
  if (made?.function !== '_+_' || !accu || nameOf(accu) !== accuVar || items.length !== 1) return step
  return call(step.id, '@append', [accu, items[0] as Expr])
}

/** Where in `subject` an expression looks, if that is written out. */
function pathOf(tree: Expr): Path | null {
  const { exprKind } = tree
  const step = (operand: Expr | undefined, key: string | number | null): Path | null => {
    if (!operand || key === null) return null
    if (nameOf(operand) === 'subject') {
      const field = typeof key === 'string' ? findField(key) : null
      return field && { field, keys: [] }
    }
    const path = pathOf(operand)
    return path && { field: path.field, keys: [...path.keys, key] }
  }
  if (exprKind.case === 'selectExpr') return step(exprKind.value.operand, exprKind.value.field)
  const made = callOf(tree)
  if (made?.function !== '_[_]') return null
  return step(made.args[0], keyOf(made.args[1] as Expr))
}

function keyOf(tree: Expr): string | number | null {
  const constant = tree.exprKind.case === 'constExpr' ? tree.exprKind.value.constantKind : null
  if (constant?.case === 'int64Value') return Number(constant.value)
  return textOf(tree)
}
