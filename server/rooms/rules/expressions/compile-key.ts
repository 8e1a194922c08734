import { type CelInput, celList, isCelError, plan } from '@bufbuild/cel'
import { beginEvaluation, costs, isOverBudget } from './budget.ts'
import { checkSource, told, withoutStacks } from './compile.ts'
import { celValue } from './compile-policy.ts'
import type { KeyRow, KeyValue, SubjectField, Tells } from './expression.ts'
import { fieldVariable, recordVariable } from './language/check.ts'
import { environment, setMoment } from './language/language.ts'
import { countParts } from './language/tree.ts'
import { celOf } from './language/values.ts'
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
      return scope === 'accountFilter' || scope === 'eventFilter' ? flagOf(result) : textOf(result)
    },
  }
}

const flagOf = (result: unknown): KeyValue | { error: string } =>
  typeof result === 'boolean' ? result : { error: 'the result is not a bool' }

/** Compared without regard to case and to spaces around it. */
function textOf(result: unknown): KeyValue | { error: string } {
  if (typeof result === 'string') return normalKey(result)
  if (typeof result === 'number' || typeof result === 'bigint') return String(result)
  return result === null ? '' : { error: 'the result is not a string' }
}

const normalKey = (text: string): string => text.trim().toLowerCase()

function inputOf(value: KeyRow[string]): CelInput {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? celList(value as readonly string[]) : celOf(value ?? {})
}
