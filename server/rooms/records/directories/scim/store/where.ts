import type { Fragment, Reads } from '#kernel/sql.ts'
import { urns } from '../../resource.ts'
import { type Resolved, resolve } from '../attributes.ts'
import type { Comparison, Filter, Value } from '../filter.ts'
import { coerced } from '../match.ts'
import { scimRefusal } from '../refuse.ts'
import { type Attribute, type ResourceType } from '../schema.ts'

/**
 * A filter as a condition on a row `x`. Values become parameters; names come from the schema. `isIndexed` says that an index
 * finds the rows: other filters read all of them, and are only for directories that are small enough.
 */
export type Condition = { where: Fragment; isIndexed: boolean }

/** How a type of resource is looked up in its table. */
export type Columns = {
  type: ResourceType
  /** The attributes that are in columns, by path in lower case. */
  plain: { readonly [path: string]: Plain }
  /** The attribute that consists of grants: `groups` of users, `members` of groups. */
  members: { name: string; holds(db: Reads, id: string): Fragment; some(db: Reads): Fragment }
  /** `emails.value eq`, by an index. */
  email?(db: Reads, value: string): Fragment
}
export type Plain = { sql(db: Reads): Fragment; kind: 'id' | 'text' | 'exact' | 'flag' | 'time'; isIndexed: boolean }

type Context = { db: Reads; columns: Columns }

const invalidFilter = (why: string) => scimRefusal('invalidFilter', why)

export function conditionOf(db: Reads, columns: Columns, filter: Filter): Condition {
  return ofFilter({ db, columns }, filter)
}

function ofFilter(context: Context, filter: Filter): Condition {
  const { db } = context
  switch (filter.is) {
    case 'and': {
      const parts = filter.of.map((each) => ofFilter(context, each))
      return { where: joined(db, parts, 'and'), isIndexed: parts.some(({ isIndexed }) => isIndexed) }
    }
    case 'or': {
      const parts = filter.of.map((each) => ofFilter(context, each))
      return { where: joined(db, parts, 'or'), isIndexed: parts.every(({ isIndexed }) => isIndexed) }
    }
    case 'not':
      return { where: db`not coalesce(${ofFilter(context, filter.of).where}, false)`, isIndexed: false }
    case 'present':
      return { where: presentOf(context, filter.path), isIndexed: false }
    case 'compare':
      return comparedOf(context, filter.path, filter.by, filter.value)
    case 'some':
      return someOf(context, filter.path, filter.of)
  }
}

const joined = (db: Reads, parts: readonly Condition[], by: 'and' | 'or'): Fragment =>
  db`(${parts.map(({ where }, place) => (place === 0 ? where : by === 'and' ? db` and ${where}` : db` or ${where}`))})`

function get(context: Context, path: string): Resolved {
  const found = resolve(context.columns.type, path)
  if (!found || found.attribute.returned === 'never')
    throw invalidFilter(`"${path}" is not an attribute that can be filtered by.`)
  return found
}

const pathOf = ({ attribute, sub }: Resolved): string =>
  (sub ? `${attribute.name}.${sub.name}` : attribute.name).toLowerCase()

/** The place of an attribute in the JSON of the resource. */
const placeOf = ({ attribute, sub, extension }: Resolved): string[] => [
  ...(extension === null ? [] : [extension]),
  attribute.name,
  ...(sub ? [sub.name] : []),
]

function presentOf(context: Context, path: string): Fragment {
  const { db, columns } = context
  const found = get(context, path)
  const plain = columns.plain[pathOf(found)]
  if (plain) return db`(${plain.sql(db)} is not null)`
  if (found.attribute.name === columns.members.name) return columns.members.some(db)
  if (['id', 'meta', 'schemas'].includes(found.attribute.name)) return db`true`
  const { attribute, sub, extension } = found
  if (attribute.multiValued && sub)
    return db`exists (select 1 from jsonb_array_elements(x.resource -> ${attribute.name}) e where e ? ${sub.name})`
  const place = extension === null ? [attribute.name, ...(sub ? [sub.name] : [])] : placeOf(found)
  return db`(x.resource #> ${place}::text[] is not null)`
}

function comparedOf(context: Context, path: string, by: Comparison, given: Value): Condition {
  const { db, columns } = context
  const found = withValue(get(context, path))
  const { attribute, sub } = found
  const compared = sub ?? attribute
  const value = coerced(compared, given)
  const plain = columns.plain[pathOf(found)]
  if (plain) return { where: plainOf(db, plain, by, value, path), isIndexed: plain.isIndexed && by === 'eq' }
  if (attribute.name === columns.members.name) return memberOf(context, found, by, value)
  if (attribute.name === 'schemas') return schemaOf(context, by, value)
  if (attribute.name === 'meta') return { where: constantOf(db, columns.type.name, by, value, path), isIndexed: false }
  if (attribute.multiValued) {
    const inner = sub ?? (attribute.subAttributes ?? []).find(({ name }) => name === 'value')
    if (!inner) throw invalidFilter(`"${path}" cannot be compared.`)
    if (
      columns.email &&
      attribute.name === 'emails' &&
      inner.name === 'value' &&
      by === 'eq' &&
      typeof value === 'string'
    )
      return { where: columns.email(db, value), isIndexed: true }
    const is = texts(db, db`e ->> ${inner.name}`, inner, by, coerced(inner, value))
    // For several values one match is enough; for "ne" none may be equal.
    return {
      where:
        by === 'ne'
          ? db`not exists (select 1 from jsonb_array_elements(x.resource -> ${attribute.name}) e
              where ${texts(db, db`e ->> ${inner.name}`, inner, 'eq', coerced(inner, value))})`
          : db`exists (select 1 from jsonb_array_elements(x.resource -> ${attribute.name}) e where ${is})`,
      isIndexed: false,
    }
  }
  if (compared.type === 'complex') throw invalidFilter(`"${path}" cannot be compared: name one of its sub-attributes.`)
  return { where: texts(db, db`x.resource #>> ${placeOf(found)}::text[]`, compared, by, value), isIndexed: false }
}

/** Entra looks someone up by `manager eq "ID"`: for a complex attribute, its value is compared. */
function withValue(found: Resolved): Resolved {
  const { attribute, sub } = found
  if (sub || attribute.multiValued || attribute.type !== 'complex') return found
  return { ...found, sub: (attribute.subAttributes ?? []).find(({ name }) => name === 'value') ?? null }
}

function someOf(context: Context, path: string, filter: Filter): Condition {
  const { db, columns } = context
  const { attribute, sub } = get(context, path)
  if (sub || !attribute.multiValued) throw invalidFilter(`"${path}" has no values to choose from.`)
  if (attribute.name === columns.members.name) {
    if (filter.is === 'compare' && filter.path.toLowerCase() === 'value')
      return comparedOf(context, `${attribute.name}.value`, filter.by, filter.value)
    throw invalidFilter(`${attribute.name} can be filtered by value only.`)
  }
  const fits = db`exists (select 1 from jsonb_array_elements(x.resource -> ${attribute.name}) e
      where ${ofValue(db, attribute, filter)})`
  // Entra looks people up by `emails[type eq "work"].value eq "…"`.
  const value = columns.email && attribute.name === 'emails' ? wantedValue(filter) : null
  return columns.email && value !== null
    ? { where: db`(${columns.email(db, value)} and ${fits})`, isIndexed: true }
    : { where: fits, isIndexed: false }
}

/** The value that a filter requires, in addition to its other conditions. */
function wantedValue(filter: Filter): string | null {
  if (filter.is === 'and') return filter.of.map(wantedValue).find((each) => each !== null) ?? null
  const isWanted = filter.is === 'compare' && filter.by === 'eq' && filter.path.toLowerCase() === 'value'
  return isWanted && typeof filter.value === 'string' ? filter.value : null
}

/** A filter on one value `e` of an attribute. */
function ofValue(db: Reads, attribute: Attribute, filter: Filter): Fragment {
  const subOf = (path: string): Attribute => {
    const sub = (attribute.subAttributes ?? []).find(({ name }) => name.toLowerCase() === path.toLowerCase())
    if (!sub) throw invalidFilter(`"${path}" is not a sub-attribute of ${attribute.name}.`)
    return sub
  }
  switch (filter.is) {
    case 'and':
    case 'or': {
      const parts = filter.of.map((each) => ({ where: ofValue(db, attribute, each), isIndexed: false }))
      return joined(db, parts, filter.is)
    }
    case 'not':
      return db`not coalesce(${ofValue(db, attribute, filter.of)}, false)`
    case 'present':
      return db`(e ->> ${subOf(filter.path).name} is not null)`
    case 'compare': {
      const sub = subOf(filter.path)
      return texts(db, db`e ->> ${sub.name}`, sub, filter.by, coerced(sub, filter.value))
    }
    case 'some':
      throw invalidFilter('Brackets in a filter cannot be nested.')
  }
}

function memberOf({ db, columns }: Context, { attribute, sub }: Resolved, by: Comparison, value: Value): Condition {
  // Entra checks whether someone is a member by `members eq "…"`.
  if ((sub && sub.name !== 'value') || (by !== 'eq' && by !== 'ne') || typeof value !== 'string')
    throw invalidFilter(`${attribute.name} can be filtered by value only, with eq or ne.`)
  const holds = columns.members.holds(db, value)
  return { where: by === 'eq' ? holds : db`not ${holds}`, isIndexed: by === 'eq' }
}

function schemaOf({ db, columns }: Context, by: Comparison, value: Value): Condition {
  if (by !== 'eq' || typeof value !== 'string') throw invalidFilter('schemas can be filtered with eq only.')
  const urn = value.toLowerCase()
  if (urn === columns.type.schema.urn.toLowerCase()) return { where: db`true`, isIndexed: false }
  return urn === columns.type.extension?.urn.toLowerCase()
    ? { where: db`(x.resource ? ${urns.enterprise})`, isIndexed: false }
    : { where: db`false`, isIndexed: true }
}

/** `meta.resourceType`; the other parts of `meta` that have no columns follow from the id. */
function constantOf(db: Reads, type: string, by: Comparison, value: Value, path: string): Fragment {
  if (!path.toLowerCase().endsWith('resourcetype') || (by !== 'eq' && by !== 'ne'))
    throw invalidFilter(`"${path}" cannot be filtered by.`)
  return (value === type) === (by === 'eq') ? db`true` : db`false`
}

function plainOf(db: Reads, { sql, kind }: Plain, by: Comparison, value: Value, path: string): Fragment {
  const column = sql(db)
  if (value === null) return nullOf(db, column, by)
  if (kind === 'flag') {
    if (typeof value !== 'boolean' || (by !== 'eq' && by !== 'ne'))
      throw invalidFilter(`"${path}" is compared with true or false, by eq or ne.`)
    return by === 'eq' ? db`${column} = ${value}` : db`${column} <> ${value}`
  }
  if (kind === 'time') return timeOf(db, column, by, value, path)
  return kind === 'text'
    ? textOf(db, db`lower(${column})`, by, db`lower(${String(value)})`)
    : textOf(db, column, by, db`${String(value)}::text`)
}

function nullOf(db: Reads, column: Fragment, by: Comparison): Fragment {
  if (by !== 'eq' && by !== 'ne') throw invalidFilter(`${by} does not take null.`)
  return by === 'eq' ? db`(${column} is null)` : db`(${column} is not null)`
}

function timeOf(db: Reads, column: Fragment, by: Comparison, value: Value, path: string): Fragment {
  const at = typeof value === 'string' ? new Date(value) : null
  if (!at || Number.isNaN(at.getTime()) || !orders[by])
    throw invalidFilter(`"${path}" is compared with a time, as in "2026-01-31T00:00:00Z", by eq, ne, gt, ge, lt or le.`)
  return db`${column} ${db.unsafe(orders[by])} ${at}`
}

const orders: { readonly [C in Comparison]?: string } = { eq: '=', ne: '<>', gt: '>', ge: '>=', lt: '<', le: '<=' }

function texts(db: Reads, text: Fragment, attribute: Attribute, by: Comparison, value: Value): Fragment {
  if (value === null) return nullOf(db, text, by)
  if (attribute.type === 'boolean') {
    if (typeof value !== 'boolean' || (by !== 'eq' && by !== 'ne'))
      throw invalidFilter(`${attribute.name} is compared with true or false, by eq or ne.`)
    return by === 'eq' ? db`(${text} = ${String(value)})` : db`(${text} is distinct from ${String(value)})`
  }
  return attribute.caseExact
    ? textOf(db, db`(${text})`, by, db`${String(value)}::text`)
    : textOf(db, db`lower(${text})`, by, db`lower(${String(value)})`)
}

function textOf(db: Reads, text: Fragment, by: Comparison, value: Fragment): Fragment {
  switch (by) {
    case 'eq':
      return db`${text} = ${value}`
    case 'ne':
      return db`${text} is distinct from ${value}`
    case 'co':
      return db`position(${value} in ${text}) > 0`
    case 'sw':
      return db`starts_with(${text}, ${value})`
    case 'ew':
      return db`right(${text}, length(${value})) = ${value}`
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le':
      return db`${text} collate "C" ${db.unsafe(orders[by] as string)} ${value}`
  }
}

/** The column that resources are sorted by; null if there is no such attribute. */
export function orderOf(db: Reads, columns: Columns, sortBy: string): { by: Fragment; isId: boolean } | null {
  const found = resolve(columns.type, sortBy)
  if (!found || found.attribute.returned === 'never') return null
  const plain = columns.plain[pathOf(found)]
  if (plain)
    return { by: plain.kind === 'text' ? db`lower(${plain.sql(db)})` : plain.sql(db), isId: plain.kind === 'id' }
  const { attribute, sub } = found
  if (attribute.name === columns.members.name || ['schemas', 'meta'].includes(attribute.name)) return null
  if (attribute.multiValued) {
    // RFC 7644 section 3.4.2.3: by the primary value, or the first.
    const name = sub?.name ?? 'value'
    return {
      by: db`(select lower(e.value ->> ${name}) from jsonb_array_elements(x.resource -> ${attribute.name})
        with ordinality e (value, place) order by (e.value ->> 'primary') = 'true' desc nulls last, e.place limit 1)`,
      isId: false,
    }
  }
  if ((sub ?? attribute).type === 'complex') return null
  return { by: db`lower(x.resource #>> ${placeOf(found)}::text[])`, isId: false }
}
