import { isCelError, isCelList, plan } from '@bufbuild/cel'
import type { Reads } from '#kernel/sql.ts'
import {
  beginEvaluation,
  budgetUnits,
  containsTimes,
  costOfMatch,
  costs,
  isOverBudget,
  iterableMax,
  matchable,
  spentUnits,
} from '../budget.ts'
import { type Fragment, type SubjectField, subjectFields, type Template } from '../expression.ts'
import { environment, setMoment } from '../language/language.ts'
import { patternSize, postgresPattern } from '../language/patterns.ts'
import { type Call, type Comprehension, countParts, type Expr, macroOf, textOf } from '../language/tree.ts'
import { appVariable, entitlementVariable, fieldVariable } from '../language/variables.ts'
import { columnOf } from '../store.ts'
import { listFields } from '../subject.ts'
import { recorder, templateOf } from '../template.ts'
import { comparisons, type Order } from './compare.ts'
import { equalConstants, isConstant } from './constants.ts'
import { Operations, profileMax } from './operations.ts'
import { conversions, failure, type SqlKind, type SqlValue, Untranslatable, type Value, valueOf } from './values.ts'

/** A boolean over a row of users; null if this expression cannot be expressed exactly in SQL. */
export function translate(tree: Expr, now: Date): Template | null {
  try {
    return templateOf(new Translator(now).bool(tree).sql)
  } catch (error) {
    if (error instanceof Untranslatable) return null
    throw error
  }
}

const fieldOfVariable = new Map<string, SubjectField>(subjectFields.map((field) => [fieldVariable(field), field]))

// Worst-case costs, so that what is expressed in SQL stays below the limit of an evaluation: SQL never does what `evaluate`
// would refuse as too much work.
const worstCosts = { text: 2_100, json: 70_000 } as const

class Translator {
  readonly #sql: Reads
  readonly #scope: ReturnType<typeof recorder>['scope']
  readonly #now: Date
  readonly #to: ReturnType<typeof conversions>
  readonly #compare: ReturnType<typeof comparisons>
  readonly #operations: Operations
  /** Within a macro: its variable, and the value of an element. */
  #element: { name: string; value: SqlValue } | null = null
  /** How many times the part being translated is evaluated for one user. */
  #times = 1
  #cost = 0

  constructor(now: Date) {
    const { sql, scope } = recorder()
    this.#sql = sql
    this.#scope = scope
    this.#now = now
    this.#to = conversions(sql)
    this.#compare = comparisons(sql, this.#to)
    this.#operations = new Operations(sql, this.#to)
  }

  bool(tree: Expr): SqlValue {
    return this.#to.as('bool', this.#value(tree))
  }

  #charge(units: number): void {
    this.#cost += units
    if (this.#cost > budgetUnits / 2) throw new Untranslatable('may take too much work')
  }

  #value(tree: Expr): Value {
    if (isConstant(tree, new Set())) return this.#fold(tree)
    const { exprKind } = tree
    this.#charge(costs.part * this.#times)
    switch (exprKind.case) {
      case 'identExpr':
        return this.#variable(exprKind.value.name)
      case 'selectExpr': {
        const operand = this.#value(exprKind.value.operand as Expr)
        return exprKind.value.testOnly
          ? this.#operations.has(operand, exprKind.value.field)
          : this.#operations.member(operand, exprKind.value.field)
      }
      case 'callExpr':
        return this.#call(exprKind.value)
      case 'comprehensionExpr':
        return this.#macro(exprKind.value)
      // Constants have been evaluated; only `in` accepts lists.
      case 'constExpr':
      case 'listExpr':
      case 'structExpr':
      case undefined:
        throw new Untranslatable(exprKind.case ?? 'nothing')
    }
  }

  /** Evaluates once what is the same for every user: `now() - duration("720h")` becomes a moment. */
  #fold(tree: Expr): Value {
    setMoment(this.#now)
    const parts = countParts(tree) * costs.part
    beginEvaluation(parts)
    const constant = plan(environment, tree)({})
    if (isOverBudget()) throw new Untranslatable('takes too much work')
    this.#charge(spentUnits() * this.#times)
    return isCelError(constant) ? failure : { kind: 'constant', constant }
  }

  #column(name: string): Fragment {
    return this.#sql`${this.#sql(`${this.#scope.users}.${name}`)}`
  }

  #variable(name: string): Value {
    if (this.#element?.name === name) return this.#element.value
    const field = fieldOfVariable.get(name)
    // In a macro it would be read again for every element, and the cost depends on both.
    if (this.#element) throw new Untranslatable('a macro that looks at more than its elements')
    if (field) return this.#field(field)
    const [, kind, appId, id] = /^(app|entitlement):([^/]+)(?:\/(.+))?$/.exec(name) ?? []
    if (kind === 'app' && appId && name === appVariable(appId)) return this.#hasApp(appId)
    if (appId && id && name === entitlementVariable({ appId, id })) return this.#hasEntitlement(appId, id)
    throw new Untranslatable(name)
  }

  #field(field: SubjectField): SqlValue {
    const sql = this.#sql
    if (field === 'managerId') return valueOf('text', sql`coalesce((${this.#column('manager_ids')})[1], '')`)
    if (field === 'manager')
      return valueOf(
        'text',
        sql`coalesce((select of_manager.email from users of_manager where of_manager.tenant_id = ${this.#scope.tenantId}
          and of_manager.user_id = (${this.#column('manager_ids')})[1]), '')`,
      )
    const kind: SqlKind = field === 'profile' ? 'json' : listFields.has(field) ? 'texts' : 'text'
    return valueOf(kind, this.#column(columnOf[field]))
  }

  #hasApp(appId: string): SqlValue {
    const sql = this.#sql
    return valueOf(
      'bool',
      sql`exists (select 1 from accounts of_user where of_user.tenant_id = ${this.#scope.tenantId}
        and of_user.user_id = ${this.#column('user_id')} and of_user.app_id = ${appId} and of_user.deleted_at is null)`,
    )
  }

  #hasEntitlement(appId: string, id: string): SqlValue {
    const { tenantId, moment } = this.#scope
    const sql = this.#sql
    return valueOf(
      'bool',
      sql`exists (select 1 from accounts of_user join grants held on held.tenant_id = of_user.tenant_id
        and held.app_id = of_user.app_id and held.account_id = of_user.account_id
        where of_user.tenant_id = ${tenantId} and of_user.user_id = ${this.#column('user_id')}
          and of_user.app_id = ${appId} and of_user.deleted_at is null
          and held.tenant_id = ${tenantId} and held.app_id = ${appId} and held.entitlement_id = ${id}
          and held.ended_at is null and (held.expires_at is null or held.expires_at > ${moment}))`,
    )
  }

  #call({ function: name, target, args }: Call): Value {
    const all = target ? [target, ...args] : args
    const [first, second, third] = all as [Expr, Expr, Expr]
    const sql = this.#sql
    switch (name) {
      case '_&&_':
      case '_||_': {
        const [a, b] = [this.bool(first), this.bool(second)]
        return valueOf('bool', name === '_&&_' ? sql`(${a.sql} and ${b.sql})` : sql`(${a.sql} or ${b.sql})`, a, b)
      }
      case '!_': {
        const a = this.bool(first)
        return valueOf('bool', sql`(not ${a.sql})`, a)
      }
      case '_?_:_':
        return this.#operations.either(this.bool(first), this.#value(second), this.#value(third))
      case '_==_':
      case '_!=_': {
        const [a, b] = [this.#value(first), this.#value(second)]
        if (a.kind === 'json' && b.kind === 'json') this.#charge(worstCosts.json * this.#times)
        const equal = this.#compare.equal(a, b)
        return name === '_==_' ? equal : valueOf('bool', sql`(not ${equal.sql})`, equal)
      }
      case '_<_':
      case '_<=_':
      case '_>_':
      case '_>=_':
        this.#charge(this.#costOfText())
        return this.#compare.order(name.slice(1, -1) as Order, this.#value(first), this.#value(second))
      case '@in':
        return this.#isIn(this.#value(first), second)
      case '_[_]':
        return this.#operations.index(this.#value(first), this.#value(second))
      case 'size':
        return this.#size(this.#value(first))
      case 'contains':
      case 'startsWith':
      case 'endsWith':
        this.#charge(this.#costOfText() * (name === 'contains' ? containsTimes : 1))
        return this.#operations.part(name, this.#to.as('text', this.#value(first)), this.#value(second))
      case 'matches':
        return this.#matches(this.#to.as('text', this.#value(first)), textOf(second))
      case 'lowerAscii':
      case 'upperAscii': {
        this.#charge(this.#costOfText() * 4)
        const text = this.#to.as('text', this.#value(first))
        const [from, into] = name === 'lowerAscii' ? [upperLetters, lowerLetters] : [lowerLetters, upperLetters]
        return valueOf('text', sql`translate(${text.sql}, ${from}, ${into})`, text)
      }
      default:
        // Arithmetic can overflow, and PostgreSQL fails then, for all rows at once.
        throw new Untranslatable(name)
    }
  }

  // In a macro, all elements together are at most as long as the profile.
  #costOfText(): number {
    return worstCosts.text + this.#times
  }

  #isIn(value: Value, range: Expr): Value {
    if (isConstant(range, new Set())) {
      const list = this.#fold(range)
      if (list.kind !== 'constant') return failure
      if (!isCelList(list.constant)) throw new Untranslatable('in a constant map')
      this.#charge(list.constant.size * costs.comparison * this.#times)
      if (value.kind === 'failure') return failure
      if (value.kind === 'constant') throw new Untranslatable('two constants')
      return this.#compare.isInConstants(value, [...list.constant])
    }
    if (range.exprKind.case === 'listExpr') return this.#isInWritten(value, range.exprKind.value.elements)
    const within = this.#value(range)
    if (within.kind === 'texts') return this.#compare.isInTexts(value, within)
    if (within.kind !== 'json') return failure
    this.#charge(worstCosts.json * this.#times)
    return this.#compare.isInJson(value, within)
  }

  /** `x in ["A", subject.profile.b]`: a list fails if any of its elements does. */
  #isInWritten(value: Value, elements: readonly Expr[]): Value {
    const sql = this.#sql
    const items = elements.map((each) => this.#value(each))
    if (value.kind === 'failure' || items.some(({ kind }) => kind === 'failure')) return failure
    if (items.some(({ kind }) => kind === 'json')) this.#charge(worstCosts.json * items.length * this.#times)
    const equal = items.map((item) =>
      value.kind === 'constant' && item.kind === 'constant'
        ? valueOf('bool', sql`${equalConstants(value.constant, item.constant)}::boolean`)
        : this.#compare.equal(value, item),
    )
    // A comparison with an element that fails, fails as well; so some comparison is null.
    const isNull = equal.map((each) => sql`${each.sql} is null`).reduce((any, each) => sql`${any} or ${each}`)
    const isOne = equal.map((each) => each.sql).reduce((any, each) => sql`${any} or ${each}`)
    return valueOf('bool', sql`(case when ${isNull} then null else ${isOne} end)`, ...equal, ...equal)
  }

  #size(value: Value): Value {
    const sql = this.#sql
    if (value.kind === 'text') {
      this.#charge(this.#costOfText())
      return valueOf('number', sql`char_length(${value.sql})::float8`, value)
    }
    if (value.kind === 'texts') return valueOf('number', sql`cardinality(${value.sql})::float8`, value)
    if (value.kind !== 'json') return failure
    this.#charge(this.#costOfText())
    return valueOf(
      'number',
      sql`(case jsonb_typeof(${value.sql}) when 'string' then char_length(${this.#to.read('text', value)})
        when 'array' then jsonb_array_length(${value.sql})
        when 'object' then (select count(*) from jsonb_object_keys(${value.sql})) end)::float8`,
      ...[value, value, value, value],
    )
  }

  #matches(text: SqlValue, pattern: string | null): Value {
    const translated = pattern === null ? null : postgresPattern(pattern)
    if (translated === null) throw new Untranslatable('a pattern')
    const length = this.#times > 1 ? profileMax : matchable.textMax
    this.#charge(costOfMatch(length, patternSize(pattern as string)) + this.#times * 100)
    return valueOf(
      'bool',
      this.#sql`(case when char_length(${text.sql}) <= ${matchable.textMax}::int
        then ${text.sql} collate "C" ~ ${translated}::text end)`,
      ...[text, text],
    )
  }

  /** `exists`, `all` and `exists_one` over the elements of a list, or the keys of a map. */
  #macro(value: Comprehension): Value {
    const sql = this.#sql
    const made = macroOf(value)
    const range = (value.iterRange?.exprKind.case === 'callExpr' && value.iterRange.exprKind.value.args[0]) || null
    if (!made || !range || this.#element) throw new Untranslatable('a macro in a macro, or one that makes a list')
    const over = this.#value(range)
    if (over.kind !== 'texts' && over.kind !== 'json') throw new Untranslatable('goes through a constant')
    this.#times = iterableMax
    this.#charge(iterableMax * 25)
    this.#element = {
      name: value.iterVar,
      value: valueOf(over.kind === 'texts' ? 'text' : 'json', sql`of_list.element`),
    }
    const test = this.bool(made.test)
    this.#element = null
    this.#times = 1

    const verdict = {
      exists: sql`case when bool_or(of_list.test) then true when bool_or(of_list.test is null) then null else false end`,
      all: sql`case when not bool_and(of_list.test) then false when bool_or(of_list.test is null) then null else true end`,
      exists_one: sql`case when bool_or(of_list.test is null) then null else count(*) filter (where of_list.test) = 1 end`,
    }[made.macro]
    const through = (elements: Fragment): Fragment =>
      sql`(select ${verdict} from (select ${test.sql} as test from ${elements} as of_list (element) offset 0) of_list)`
    if (over.kind === 'texts')
      return valueOf(
        'bool',
        sql`(case when cardinality(${over.sql}) <= ${iterableMax}::int then ${through(sql`unnest(${over.sql})`)} end)`,
        ...[over, over, test],
      )
    const keys = sql`(select to_jsonb(of_map.key) from jsonb_object_keys(${over.sql}) as of_map (key))`
    const isShort = (count: Fragment): Fragment => sql`${count} <= ${iterableMax}::int`
    return valueOf(
      'bool',
      sql`(case jsonb_typeof(${over.sql})
        when 'array' then case when ${isShort(sql`jsonb_array_length(${over.sql})`)}
          then ${through(sql`jsonb_array_elements(${over.sql})`)} end
        when 'object' then case when ${isShort(sql`(select count(*) from jsonb_object_keys(${over.sql}))`)}
          then ${through(keys)} end
        end)`,
      ...[over, over, over, over, over, test, test],
    )
  }
}

const upperLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const lowerLetters = upperLetters.toLowerCase()
