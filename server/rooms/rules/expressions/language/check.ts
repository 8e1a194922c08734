import type { Held, Path, SubjectField, Tells } from '../expression.ts'
import { isKeyScope, isRecordRoot, type RecordRoot, type Root, rootsIn, type Scope, typeOfRoot } from '../scope.ts'
import { showPath } from '../subject.ts'
import { checkCall } from './calls.ts'
import { checkMacro } from './macros.ts'
import { Notes } from './notes.ts'
import { pathOf } from './paths.ts'
import { Problem } from './problem.ts'
import { shown } from './tokens.ts'
import { type Expr, findDeep, list, nameOf, type Select, select, textConstant } from './tree.ts'
import { aType, isPerhaps, type Part, type Type, type Typed, type Variables } from './types.ts'

/**
 * Resolves the names in an expression, refuses what certainly fails, and rewrites the expression in simpler terms, for
 * evaluation and for SQL: `subject.job_title` becomes the variable `subject.jobTitle`, each call of HasApp a separate
 * variable, the macros are counted. Node ids stay, so that positions in the text are still known.
 */
export type Checked = {
  tree: Expr
  fields: ReadonlySet<SubjectField>
  paths: readonly Path[]
  entitlements: readonly Held[]
  apps: readonly string[]
  isClocked: boolean
  /** What it reads, and which fields of it. For a user as a value, that is all fields. */
  roots: ReadonlySet<Root>
  recordFields: readonly { root: RecordRoot; field: string }[]
  tells: Tells
  placeOf(id: bigint): number
}
// The grammar limits nested brackets and chained operators, but each may contain the other.
const treeDepthMax = 200

export function check(
  source: string,
  parsed: { expr: Expr; sourceInfo?: { positions: Record<string, number> } | undefined },
  scope: Scope = 'rule',
): Checked {
  const positions = parsed.sourceInfo?.positions ?? {}
  // In the library, an operator begins at the space before it.
  const placeOf = (id: bigint): number => {
    const offset = positions[String(id)] ?? 0
    return offset + (/^\s*/.exec(source.slice(offset))?.[0].length ?? 0)
  }
  const deep = findDeep(parsed.expr, treeDepthMax)
  if (deep) throw new Problem('nested too deeply', placeOf(deep.id))
  const notes = new Notes(placeOf, scope, checkTree)
  const { tree, type } = notes.check(parsed.expr, new Map())
  const { types, what } = resultOf(scope)
  if (!isPerhaps(type, ...types)) {
    throw new Problem(`the expression must be ${what}, but is ${aType(type)}`, placeOf(parsed.expr.id))
  }
  const { fields, paths, entitlements, apps, isClocked, roots, recordFields } = notes
  return {
    tree,
    fields,
    paths: [...paths.values()],
    entitlements: [...entitlements.values()],
    apps: [...apps],
    isClocked,
    roots,
    recordFields: [...recordFields.values()],
    tells: notes.tells(),
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

/** `isPart`: it belongs to a longer path, which was noted already. */
function checkTree(notes: Notes, tree: Expr, variables: Variables, isPart: boolean): Typed {
  const path = pathOf(tree)
  if (path && !isPart) notes.paths.set(showPath(path), path)
  const { exprKind } = tree
  switch (exprKind.case) {
    case 'constExpr':
      return checkConstant(notes, tree)
    case 'identExpr':
      return checkIdentifier(notes, tree, exprKind.value.name, variables)
    case 'selectExpr':
      return checkSelect(notes, { tree, variables, isPath: path !== null }, exprKind.value)
    case 'callExpr':
      return checkCall(notes, { tree, variables, isPath: path !== null }, exprKind.value)
    case 'listExpr': {
      const elements = exprKind.value.elements.map((each) => notes.check(each, variables))
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
        notes.fail(tree, `there are no messages such as ${shown(exprKind.value.messageName)}`)
      // A user is equal to a map of the same fields.
      notes.mayRead('map', null)
      const entries = exprKind.value.entries.map((entry) => {
        if (entry.keyKind.case !== 'mapKey' || !entry.value) notes.fail(tree, 'a key without a value')
        const value = notes.check(entry.keyKind.value, variables)
        if (!isPerhaps(value.type, 'string', 'int', 'uint', 'bool'))
          notes.fail(entry.keyKind.value, `${aType(value.type)} cannot be a key`)
        return {
          ...entry,
          keyKind: { case: 'mapKey' as const, value: value.tree },
          value: notes.check(entry.value, variables).tree,
        }
      })
      return {
        tree: { ...tree, exprKind: { case: 'structExpr', value: { ...exprKind.value, entries } } },
        type: 'map',
      }
    }
    case 'comprehensionExpr':
      return checkMacro(notes, tree, exprKind.value, variables)
    case undefined:
      return notes.fail(tree, 'this is not a valid expression')
  }
}

function checkConstant(notes: Notes, tree: Expr): Typed {
  const kind = tree.exprKind.case === 'constExpr' ? tree.exprKind.value.constantKind : { case: undefined }
  switch (kind.case) {
    case 'int64Value':
      if (BigInt.asIntN(64, kind.value) !== kind.value) notes.fail(tree, 'an int has at most 64 bits')
      return { tree, type: 'int' }
    case 'uint64Value':
      if (BigInt.asUintN(64, kind.value) !== kind.value) notes.fail(tree, 'a uint has at most 64 bits')
      return { tree, type: 'uint' }
    case 'doubleValue':
      if (!Number.isFinite(kind.value)) notes.fail(tree, 'a number that is too large')
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
      return notes.fail(tree, 'this is not a valid constant')
  }
}

function checkIdentifier(notes: Notes, tree: Expr, name: string, variables: Variables): Typed {
  const type = variables.get(name)
  if (type !== undefined) return { tree, type }
  const root = notes.root(name, variables)
  if (root === 'subject' && (notes.scope === 'rule' || isKeyScope(notes.scope)))
    notes.fail(tree, 'subject must be used with one of its fields, as in subject.department')
  if (root && isRecordRoot(root)) notes.fail(tree, `${root} must be used with one of its fields, as in ${root}.id`)
  if (root) {
    notes.roots.add(root)
    const kind = typeOfRoot(root)
    if (kind === 'user' || kind === 'users') notes.hasUsers = true
    return { tree, type: kind }
  }
  const values = notes.constants(name)
  if (values) notes.fail(tree, `${name} must be used with one of its values, as in ${name}.${[...values.keys()][2]}`)
  if (notes.scope === 'rule')
    notes.fail(tree, `there is no ${shown(name)}; a user's fields are in subject, as in subject.department`)
  return notes.fail(tree, `there is no ${shown(name)}; expressions here can use ${rootsIn(notes.scope).join(', ')}`)
}

function checkSelect(
  notes: Notes,
  { tree, variables, isPath }: Part,
  { operand, field, testOnly, $typeName }: Select,
): Typed {
  if (!operand) notes.fail(tree, 'a field of nothing')
  const of = nameOf(operand)
  const known = notes.rootField(tree, notes.root(of, variables), field)
  if (known) return testOnly ? notes.isSet(tree, known) : { tree: known.variable, type: known.type }
  const values = of === null || variables.has(of) ? undefined : notes.constants(of)
  if (values) {
    const value = values.get(field)
    if (value === undefined) notes.fail(tree, `${of} has no value ${shown(field)}`)
    return { tree: textConstant(tree.id, value), type: 'string' }
  }
  const inner = notes.check(operand, variables, isPath)
  if (inner.type === 'user') {
    const found = notes.userField(tree, inner.tree, field)
    return testOnly ? notes.isSet(tree, found) : { tree: found.variable, type: found.type }
  }
  notes.mayRead(inner.type, field)
  if (!isPerhaps(inner.type, 'map')) notes.fail(tree, `${aType(inner.type)} has no fields, so no ${shown(field)}`)
  return {
    tree: select(tree.id, { $typeName, operand: inner.tree, field, testOnly }),
    type: testOnly ? 'bool' : 'dyn',
  }
}
