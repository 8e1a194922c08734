import { type CelInput, celList, isCelError, isCelList, isCelMap, plan } from '@bufbuild/cel'
import { beginEvaluation, costs, isOverBudget } from './budget.ts'
import { checkSource, told, withoutStacks } from './compile.ts'
import { celValue } from './compile-policy.ts'
import type { KeyRow, KeyValue, SubjectField, Tells } from './expression.ts'
import { environment, setMoment } from './language/language.ts'
import { countParts } from './language/tree.ts'
import { celOf } from './language/values.ts'
import { fieldVariable, recordVariable } from './language/variables.ts'
import { type FieldType, type KeyScope, recordFields } from './scope.ts'

/** An expression of a directory or of a subscription, which can be evaluated in a worker thread. */
export type CompiledKey = {
  tells: Tells
  fields: ReadonlySet<SubjectField>
  evaluate(row: KeyRow): KeyValue | { error: string }
}

/** Throws a `Problem`. */
export function compileKey(source: string, scope: KeyScope): CompiledKey {
  const { tree, tells, fields, roots, recordFields: read, placeOf } = checkSource(source, scope)
  const run = plan(environment, tree)
  const unitsMin = costs.part * countParts(tree)
  return {
    tells,
    fields,
    evaluate(row) {
      const variables: Record<string, CelInput> = {}
      for (const field of fields) variables[fieldVariable(field)] = inputOf(row[field])
      for (const { root, field } of read) {
        const type = (recordFields[root] as Record<string, FieldType>)[field] as FieldType
        variables[recordVariable(root, field)] = celValue(type, row[field])
      }
      for (const root of roots) if (root === 'event' || root === 'kind') variables[root] = inputOf(row[root])
      beginEvaluation(unitsMin)
      setMoment(new Date(0))
      const result = withoutStacks(() => run(variables))
      if (isOverBudget()) return { error: 'the evaluation takes too much work' }
      if (isCelError(result)) return { error: told(source, placeOf, result) }
      if (scope === 'accountField') return typedOf(result)
      return scope === 'accountFilter' || scope === 'eventFilter' ? flagOf(result) : textOf(result)
    },
  }
}

const flagOf = (result: unknown): KeyValue | { error: string } =>
  typeof result === 'boolean' ? result : { error: 'the result is not a bool' }

/** Compared ignoring case and surrounding spaces. */
function textOf(result: unknown): KeyValue | { error: string } {
  if (typeof result === 'string') return normalKey(result)
  if (typeof result === 'number' || typeof result === 'bigint') return String(result)
  return result === null ? '' : { error: 'the result is not a string' }
}

/** Lists and maps are returned as JSON. */
function typedOf(result: unknown): KeyValue | { error: string } {
  if (typeof result === 'string') return { type: 'string', value: result }
  if (typeof result === 'boolean') return { type: 'bool', value: String(result) }
  if (typeof result === 'bigint') return { type: 'int', value: String(result) }
  if (typeof result === 'number') return { type: 'double', value: String(result) }
  if (result === null) return { type: 'null', value: '' }
  const type = isCelList(result) ? 'list' : isCelMap(result) ? 'map' : ''
  return type === ''
    ? { error: 'the result is not a value of an account' }
    : { type, value: JSON.stringify(jsonOf(result)) }
}

function jsonOf(value: unknown): unknown {
  if (isCelList(value)) return [...value].map(jsonOf)
  if (isCelMap(value))
    return Object.fromEntries(
      [...value.entries()].map(([key, each]) => [`${key as string | number | bigint | boolean}`, jsonOf(each)]),
    )
  return typeof value === 'bigint' ? Number(value) : value
}

const normalKey = (text: string): string => text.trim().toLowerCase()

function inputOf(value: KeyRow[string]): CelInput {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? celList(value as readonly string[]) : celOf(value ?? {})
}
