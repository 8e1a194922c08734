import type { Held, Path, SubjectField, Tells } from '../expression.ts'
import {
  findRecordField,
  findRoot,
  isRecordRoot,
  type Lookup,
  missingFields,
  type RecordRoot,
  type Root,
  recordConstants,
  type Scope,
} from '../scope.ts'
import { constants, findField, typeOfField } from '../subject.ts'
import { Problem } from './problem.ts'
import { shown } from './tokens.ts'
import { call, type Expr, identifier, intConstant, select, textConstant } from './tree.ts'
import { isPerhaps, type Type, type Typed, type Variables } from './types.ts'
import { fieldVariable, recordVariable } from './variables.ts'

type CheckTree = (notes: Notes, tree: Expr, variables: Variables, isPart: boolean) => Typed

/** What is found in an expression while it is checked, and the meaning of its names. */
export class Notes {
  readonly fields = new Set<SubjectField>()
  readonly paths = new Map<string, Path>()
  readonly entitlements = new Map<string, Held>()
  readonly apps = new Set<string>()
  readonly roots = new Set<Root>()
  readonly recordFields = new Map<string, { root: RecordRoot; field: string }>()
  isClocked = false
  /** Whether users occur as values, which may not be known to be users. */
  hasUsers = false
  readonly #userFields = new Set<SubjectField>()
  readonly #perhapsRead = new Set<SubjectField | 'any'>()
  readonly lookups = new Map<Lookup['name'], Pick<Lookup, 'name' | 'about'>>()
  readonly scope: Scope
  macroDepth = 0
  macros = 0
  patternSizes = 0
  readonly #placeOf: (id: bigint) => number
  readonly #checkTree: CheckTree

  constructor(placeOf: (id: bigint) => number, scope: Scope, checkTree: CheckTree) {
    this.#placeOf = placeOf
    this.scope = scope
    this.#checkTree = checkTree
  }

  /** Checks a part of the expression. `isPart`: it belongs to a longer path, which was noted already. */
  check(tree: Expr, variables: Variables, isPart = false): Typed {
    return this.#checkTree(this, tree, variables, isPart)
  }

  constants(name: string): ReadonlyMap<string, string> | undefined {
    return constants.get(name) ?? (this.scope === 'rule' ? undefined : recordConstants.get(name))
  }

  tells(): Tells {
    return {
      roots: [...this.roots],
      fields: [...new Set([...this.fields, ...this.#userFields, ...(this.hasUsers ? this.#perhapsRead : [])])],
      entitlements: [...this.entitlements.values()],
      apps: [...this.apps],
      lookups: [...this.lookups.values()],
    }
  }

  /** Notes a field of something that may be a user; without a name, it may be any field. */
  mayRead(type: Type, name: string | null): void {
    if (!isPerhaps(type, 'map')) return
    const field = name === null ? 'any' : findField(name)
    if (field) this.#perhapsRead.add(field)
  }

  /** A name that is known here, unless an enclosing macro uses it as a variable. */
  root(name: string | null, variables: Variables): Root | null {
    return name !== null && !variables.has(name) ? findRoot(this.scope, name) : null
  }

  fail(at: Expr, message: string): never {
    throw new Problem(message, this.#placeOf(at.id))
  }

  /** A field of a task, an account or an entitlement. */
  recordField(tree: Expr, root: RecordRoot, name: string): { variable: Expr; type: Type } {
    const found = findRecordField(root, name)
    if (!found) {
      const missing = Object.hasOwn(missingFields, `${root}.${name}`) ? missingFields[`${root}.${name}`] : undefined
      if (missing) this.fail(tree, `${root}.${name} is not supported: ${missing}`)
      this.fail(tree, `${root} has no field ${shown(name)}`)
    }
    const { field, type } = found
    this.roots.add(root)
    const variable = recordVariable(root, field)
    this.recordFields.set(variable, { root, field })
    const isMoment = type === 'Timestamp' || type === 'Duration'
    return { variable: identifier(tree.id, variable), type: isMoment ? `google.protobuf.${type}` : type }
  }

  /** A field of something that is known by name, or null if the name is not known. */
  rootField(at: Expr, root: Root | null, name: string): { variable: Expr; type: Type } | null {
    if (root === 'subject') return this.field(at, name)
    return root && isRecordRoot(root) ? this.recordField(at, root, name) : null
  }

  /** A field of any user. */
  userField(at: Expr, operand: Expr, name: string): { variable: Expr; type: Type } {
    const field = findField(name)
    if (!field) this.fail(at, `a user has no field ${shown(name)}`)
    this.#userFields.add(field)
    return {
      variable: select(at.id, { $typeName: 'cel.expr.Expr.Select', operand, field, testOnly: false }),
      type: typeOfField(field),
    }
  }

  /** As in protobuf: a field is set if it is not empty. The published `subject` is a message. */
  isSet(tree: Expr, { variable, type }: { variable: Expr; type: Type }): Typed {
    if (type === 'bool') return { tree: variable, type: 'bool' }
    // A moment is always set, such as `task.createdAt`; so is a duration, where zero means no expiry.
    if (type.startsWith('google.protobuf.')) return { tree: call(tree.id, '_==_', [variable, variable]), type: 'bool' }
    const isSet =
      type === 'string'
        ? call(tree.id, '_!=_', [variable, textConstant(tree.id, '')])
        : type === 'int'
          ? call(tree.id, '_!=_', [variable, intConstant(tree.id, 0n)])
          : call(tree.id, '_>_', [call(tree.id, 'size', [variable]), intConstant(tree.id, 0n)])
    return { tree: isSet, type: 'bool' }
  }

  field(tree: Expr, name: string): { variable: Expr; type: Type } {
    const field = findField(name)
    if (!field) this.fail(tree, `subject has no field ${shown(name)}`)
    this.fields.add(field)
    this.roots.add('subject')
    return { variable: identifier(tree.id, fieldVariable(field)), type: typeOfField(field) }
  }
}
