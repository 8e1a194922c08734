import { type CelInput, celList, isCelError, isCelList, plan } from '@bufbuild/cel'
import { beginEvaluation, costs, isOverBudget, spentUnits } from './budget.ts'
import { checkSource, told, withoutStacks } from './compile.ts'
import type { Asked, LookedUp, Need, RecordValue, Scene, Tells } from './expression.ts'
import type { Checked } from './language/check.ts'
import { durationOf, environment, setMoment, timestampOf } from './language/language.ts'
import { beginAsking, endAsking, userIdOf, userList, userValue } from './language/people.ts'
import { countParts } from './language/tree.ts'
import { celOf } from './language/values.ts'
import { fieldVariable, recordVariable } from './language/variables.ts'
import { type FieldType, type PolicyScope, type Root, recordFields } from './scope.ts'

/** One round: a result, or what has to be looked up first. */
export type Round = ({ asked: Asked } | { needs: Need[] }) & { units: number }

/** An expression of a policy that can be evaluated, in a worker thread. */
export type CompiledPolicy = {
  tells: Tells
  roots: ReadonlySet<Root>
  readsProfiles: boolean
  ask(scene: Scene, known: LookedUp, now: Date): Round
}

/** Throws a `Problem`. */
export function compilePolicy(source: string, scope: PolicyScope): CompiledPolicy {
  const checked = checkSource(source, scope)
  return {
    tells: checked.tells,
    roots: checked.roots,
    // By the text: this includes fields of an element that is not known to be a user.
    readsProfiles: /profile|attributes/.test(source),
    ask: asker(source, scope, checked),
  }
}

/** The most users that may be returned: more would be an arbitrary group. */
const approversMax = 1000

function asker(source: string, scope: PolicyScope, checked: Checked): CompiledPolicy['ask'] {
  const { tree, placeOf } = checked
  const run = plan(environment, tree)
  const unitsMin = costs.part * countParts(tree)
  return (scene, known, now) => {
    beginAsking(known)
    beginEvaluation(unitsMin)
    setMoment(now)
    let result: unknown
    try {
      const variables = bind(checked, scene)
      result = withoutStacks(() => run(variables))
      const units = Math.ceil(spentUnits())
      if (isOverBudget()) return { asked: { error: 'the evaluation takes too much work' }, units }
      if (!isCelError(result)) return { asked: scope === 'approvers' ? usersOf(result) : boolOf(result), units }
      // `&&` and `||` treat an error as "not known": where it would decide, the missing values may decide otherwise.
      const needs = endAsking()
      return needs.length > 0 ? { needs, units } : { asked: { error: told(source, placeOf, result) }, units }
    } catch (error) {
      // A value outside the expression does not exist: the subject was deleted.
      return { asked: { error: (error as Error).message }, units: Math.ceil(spentUnits()) }
    } finally {
      endAsking()
    }
  }
}

const boolOf = (result: unknown): Asked =>
  typeof result === 'boolean' ? { value: result } : { error: 'the result is not a bool' }

/** A user, or a list of users, without repetitions and in their order. */
function usersOf(result: unknown): Asked {
  const one = userIdOf(result)
  if (one !== null) return { userIds: [one] }
  if (!isCelList(result)) return { error: 'the result is not a user or a list of users' }
  if (result.size > approversMax) return { error: `the result is a list of more than ${approversMax} users` }
  const ids = new Set<string>()
  for (const each of result) {
    const id = userIdOf(each)
    if (id === null) return { error: 'the result is a list of something other than users' }
    ids.add(id)
  }
  return { userIds: [...ids] }
}

/** Only what the expression reads. */
function bind({ roots, fields, recordFields: read }: Checked, scene: Scene): Record<string, CelInput> {
  const variables: Record<string, CelInput> = {}
  if (roots.has('subject')) {
    const subject = userValue(scene.subjectId ?? '')
    variables['subject'] = subject
    for (const field of fields) variables[fieldVariable(field)] = subject.get(field) as CelInput
  }
  if (roots.has('appOwners')) variables['appOwners'] = userList(scene.appOwnerIds ?? [])
  if (roots.has('ip')) variables['ip'] = scene.ip ?? ''
  for (const { root, field } of read) {
    const type = (recordFields[root] as Record<string, FieldType>)[field] as FieldType
    variables[recordVariable(root, field)] = celValue(type, scene.records[root]?.[field])
  }
  return variables
}

/**
 * Missing values are empty, as in a message of protobuf: a request for someone without an account has an account without an
 * id.
 */
export function celValue(type: FieldType, value: RecordValue | undefined): CelInput {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? value : ''
    case 'bool':
      return value === true
    case 'int':
      return BigInt(typeof value === 'number' ? Math.trunc(value) : 0)
    case 'list':
      return celList(Array.isArray(value) ? (value as readonly string[]) : [])
    case 'map':
      return celOf(typeof value === 'object' ? value : {})
    case 'Timestamp':
      return timestampOf(typeof value === 'number' ? value : 0)
    case 'Duration':
      return durationOf(typeof value === 'number' ? value : 0)
  }
}
