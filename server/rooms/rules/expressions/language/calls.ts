import { isCelError, plan } from '@bufbuild/cel'
import { matchable } from '../budget.ts'
import { heldKey } from '../expression.ts'
import { isKeyScope, isRecordRoot, type Lookup, lookups, missingFunctions, type Root, rootsIn } from '../scope.ts'
import { environment, functionNames, overloadsOf, patternOf } from './language.ts'
import type { Notes } from './notes.ts'
import { hasUnicodeClass, patternSize } from './patterns.ts'
import { shown } from './tokens.ts'
import { type Call, call, type Expr, identifier, nameOf, qualifiedName, textOf } from './tree.ts'
import { aType, isPerhaps, nameOfType, type Part, type Type, type Typed } from './types.ts'
import { urlFunctionNames } from './urls.ts'
import { appVariable, entitlementVariable, lookupFunction } from './variables.ts'

export function checkCall(notes: Notes, part: Part, value: Call): Typed {
  const { tree, variables } = part
  const { function: name, target, args } = value
  const qualified = target ? qualifiedName(target) : null
  const root = qualified?.split('.')[0] ?? ''
  if (root === 'c1' && !variables.has(root)) {
    const full = `${qualified}.${name}`
    return notes.scope === 'rule' ? checkHolds(notes, tree, full, args) : checkLookup(notes, part, full, args)
  }
  if (name === '@not_strictly_false')
    return { tree: call(tree.id, name, [notes.check(args[0] as Expr, variables).tree]), type: 'bool' }
  if (name === 'has') notes.fail(tree, 'has() takes a field, as in has(subject.profile.site)')
  if (['all', 'exists', 'exists_one', 'existsOne', 'filter', 'map'].includes(name) && target)
    notes.fail(tree, `${name}() takes a name and an expression, as in subject.emails.${name}(e, e != "")`)
  const isOfClaims = notes.scope === 'claims' && urlFunctionNames.has(name)
  if (!functionNames.has(name) && !isOfClaims) notes.fail(tree, `there is no function ${shown(name)}`)

  if (name === '_[_]') return checkIndex(notes, part, args)
  const given = [...(target ? [target] : []), ...args].map((each) => notes.check(each, variables))
  const [subject, others] = target ? [given[0], given.slice(1)] : [undefined, given]
  const rewritten = call(
    tree.id,
    name,
    others.map((each) => each.tree),
    subject?.tree,
  )
  if (name === 'now' && (isKeyScope(notes.scope) || notes.scope === 'claims'))
    notes.fail(tree, 'now() cannot be used here')
  if (name === 'now') notes.isClocked = true
  if (name === '_&&_' || name === '_||_') {
    const sign = name.slice(1, 3)
    for (const [at, each] of others.entries()) demandBool(notes, args[at] as Expr, each.type, `${sign} takes bools`)
    return { tree: rewritten, type: 'bool' }
  }
  if (name === '_?_:_') {
    demandBool(notes, args[0] as Expr, others[0]?.type as Type, 'the operand before ? must be a bool')
    const [, yes, no] = others
    return { tree: rewritten, type: yes?.type === no?.type ? (yes?.type as Type) : 'dyn' }
  }
  const type = resultOf(notes, tree, name, { target: subject?.type, args: others.map((each) => each.type) })
  if (name === 'matches') checkPattern(notes, args[0] as Expr)
  if (['timestamp', 'duration', 'int', 'double', 'bool'].includes(name) && args[0]?.exprKind.case === 'constExpr') {
    const result = plan(environment, rewritten)()
    if (isCelError(result)) notes.fail(args[0], result.message)
  }
  return { tree: rewritten, type }
}

function demandBool(notes: Notes, at: Expr, type: Type, rule: string): void {
  if (!isPerhaps(type, 'bool')) notes.fail(at, `${rule}, and this is ${aType(type)}`)
}

/** By the types that the functions of this name take: refused if none of them matches. */
function resultOf(
  notes: Notes,
  tree: Expr,
  name: string,
  { target, args }: { target: Type | undefined; args: readonly Type[] },
): Type {
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
    if (name === '@in') notes.fail(tree, `in cannot be used with ${taken.join(' and ')}`)
    if (sign) notes.fail(tree, `${sign} cannot be used with ${taken.join(' and ')}`)
    const shape = target === undefined ? '' : `${nameOfType(target)}.`
    notes.fail(tree, `there is no ${shape}${name}(${args.map(nameOfType).join(', ')})`)
  }
  if (name === '_+_' && args.every((each) => each === 'users')) return 'users'
  const results = new Set(meant.map(({ result }) => result.name))
  return results.size === 1 ? ([...results][0] as Type) : 'dyn'
}

function checkIndex(notes: Notes, { tree, variables, isPath }: Part, args: readonly Expr[]): Typed {
  const [operand, key] = args as [Expr, Expr]
  const root = notes.root(nameOf(operand), variables)
  if (root === 'subject' || (root && isRecordRoot(root))) {
    const name = textOf(key)
    if (name === null) notes.fail(key, `the field of ${root} must be a literal, as in ${exampleOf(root)}`)
    const { variable, type } = notes.rootField(key, root, name) as { variable: Expr; type: Type }
    return { tree: variable, type }
  }
  const [inner, index] = [notes.check(operand, variables, isPath), notes.check(key, variables)]
  if (inner.type === 'user') {
    const name = textOf(key)
    if (name === null) notes.fail(key, 'the field of a user must be a literal')
    const { variable, type } = notes.userField(key, inner.tree, name)
    return { tree: variable, type }
  }
  if (!isPerhaps(inner.type, 'map', 'list', 'users')) notes.fail(tree, `${aType(inner.type)} has no elements`)
  if (isPerhaps(index.type, 'string')) notes.mayRead(inner.type, textOf(key))
  const isList = inner.type === 'list' || inner.type === 'users'
  const wanted = isList ? ['int', 'uint', 'double'] : ['int', 'uint', 'double', 'string', 'bool']
  if (!isPerhaps(index.type, ...wanted)) notes.fail(key, `${aType(inner.type)} has no element by ${aType(index.type)}`)
  return {
    tree: call(tree.id, '_[_]', [inner.tree, index.tree]),
    type: inner.type === 'users' ? 'user' : 'dyn',
  }
}

function checkPattern(notes: Notes, at: Expr): void {
  const pattern = textOf(at)
  if (pattern === null) notes.fail(at, 'the pattern of matches() must be a string literal')
  const size = patternSize(pattern)
  notes.patternSizes += size
  if (size > matchable.patternMax)
    notes.fail(at, `a pattern of more than ${matchable.patternMax} characters, repetitions counted`)
  if (notes.patternSizes > matchable.patternsMax)
    notes.fail(at, `patterns of more than ${matchable.patternsMax} characters together, repetitions counted`)
  if (hasUnicodeClass(pattern)) notes.fail(at, 'there are no Unicode classes in patterns')
  try {
    patternOf(pattern)
  } catch (error) {
    notes.fail(at, `RE2 does not accept this pattern: ${(error as Error).message}`)
  }
}

/** `c1.user.v1.HasApp` and `HasEntitlement`, for this user and with literal ids: so it is known what they read. */
function checkHolds(notes: Notes, tree: Expr, name: string, args: readonly Expr[]): Typed {
  const shape = {
    'c1.user.v1.HasApp': '(subject, "app id")',
    'c1.user.v1.HasEntitlement': '(subject, "app id", "entitlement id")',
  }[name]
  if (shape === undefined) notes.fail(tree, `there is no function ${shown(name)}`)
  const [about, ...ids] = args
  const texts = ids.map((each) => textOf(each))
  const isApp = name.endsWith('HasApp')
  if (!about || nameOf(about) !== 'subject' || texts.length !== (isApp ? 1 : 2) || texts.includes(null))
    notes.fail(tree, `write it as ${name}${shape}, with the ids as string literals`)
  const [appId, id] = texts as [string, string]
  for (const [at, text] of (texts as string[]).entries())
    if (!/^[0-9A-Za-z]{27}$/.test(text))
      notes.fail(ids[at] as Expr, `${shown(text)} is not an id: an id has 27 letters and digits`)
  if (isApp) {
    notes.apps.add(appId)
    return { tree: identifier(tree.id, appVariable(appId)), type: 'bool' }
  }
  const held = { appId, id }
  notes.entitlements.set(heldKey(held), held)
  return { tree: identifier(tree.id, entitlementVariable(held)), type: 'bool' }
}

/** A lookup in the database: the function reports what it needs, and is evaluated again once it is there. */
function checkLookup(notes: Notes, { tree, variables }: Part, name: string, args: readonly Expr[]): Typed {
  const missing = Object.hasOwn(missingFunctions, name) ? missingFunctions[name] : undefined
  if (missing) notes.fail(tree, `${name} is not supported: ${missing}`)
  const lookup = lookups.get(name)
  if (!lookup) notes.fail(tree, `there is no function ${shown(name)}`)
  if (notes.scope === 'routing') notes.fail(tree, `expressions here can only use entitlement, and have no ${name}`)
  if (isKeyScope(notes.scope) || notes.scope === 'claims')
    notes.fail(tree, `expressions here can use ${rootsIn(notes.scope).join(', ')} only, and have no ${name}`)
  if (args.length !== lookup.takes.length) notes.fail(tree, `write it as ${name}(${shapeOf(lookup)})`)
  const given = args.map((each) => notes.check(each, variables))
  for (const [at, taken] of lookup.takes.entries()) {
    const { type } = given[at] as Typed
    const fits = taken === 'users' ? isPerhaps(type, 'user', 'users', 'list') : isPerhaps(type, taken)
    if (!fits) notes.fail(args[at] as Expr, `${name} takes ${shapeOf(lookup)}, and this is ${aType(type)}`)
    const text = textOf(args[at] as Expr)
    if (text !== null && takesId(lookup) && !/^[0-9A-Za-z]{27}$/.test(text))
      notes.fail(args[at] as Expr, `${shown(text)} is not an id: an id has 27 letters and digits`)
  }
  const ids = args.filter((_, at) => lookup.takes[at] === 'string').map((each) => textOf(each))
  const [appId = null, id = null] = ids
  if (lookup.about === 'app' && appId !== null) notes.apps.add(appId)
  else if (lookup.about === 'entitlement' && appId !== null && id !== null)
    notes.entitlements.set(heldKey({ appId, id }), { appId, id })
  else notes.lookups.set(lookup.name, { name: lookup.name, about: lookup.about })
  if (lookup.gives === 'user' || lookup.gives === 'users') notes.hasUsers = true
  return {
    tree: call(
      tree.id,
      lookupFunction(lookup.name),
      given.map((each) => each.tree),
    ),
    type: lookup.gives,
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
