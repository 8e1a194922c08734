import { readFileSync } from 'node:fs'
import { parse } from 'libpg-query'
import {
  callsOf,
  conjuncts,
  inner,
  isMovedByInterval,
  isNode,
  isParameter,
  isSomewhere,
  type Node,
  nodes,
  subqueriesOf,
  textOf,
  volatile,
} from './statement-tree.ts'

/**
 * What CONTRIBUTING.md asks of SQL, so that tables can be distributed by tenant_id. Each query in a statement, also one in
 * a CTE or in a branch of a union, is checked separately: Citus draws no conclusion from one to another.
 */
export type Schema = {
  /** Distributed by tenant_id. */
  tenantTables: ReadonlySet<string>
  /** On the coordinator only. */
  localTables: ReadonlySet<string>
}

/** Every node has a copy of it. */
const referenceTable = 'tenants'
const schemaFile = new URL('../server/database/schema.sql', import.meta.url)

export function readSchema(sql = readFileSync(schemaFile, 'utf8')): Schema {
  const tenantTables = new Set<string>()
  const localTables = new Set<string>()
  for (const [, name = '', columns = ''] of sql.matchAll(/^create (?:unlogged )?table (\w+) \(\n(.*?)^\);/gms)) {
    if (name === referenceTable) continue
    ;(/^ {2}tenant_id /m.test(columns) ? tenantTables : localTables).add(name)
  }
  return { tenantTables, localTables }
}

/** A statement that breaks a rule on purpose. What writes or holds rows over all tenants is never allowed. */
export type Allowance = { begins: string; allows: 'reading all tenants' | 'settings'; reason: string }

/** What is wrong with the statements of a text; nothing where it keeps the rules. */
export async function problemsOf(
  text: string,
  schema: Schema,
  allowances: readonly Allowance[] = [],
): Promise<string[]> {
  let stmts: unknown[]
  try {
    stmts = (await parse(text)).stmts ?? []
  } catch (error) {
    return [(error as Error).message]
  }
  const plain = text.replaceAll(/\s+/g, ' ').trim()
  const look: Look = {
    schema,
    allowed: new Set(allowances.filter(({ begins }) => plain.startsWith(begins)).map(({ allows }) => allows)),
    problems: new Set(),
    tables: new Set(),
  }
  for (const { stmt } of nodes(stmts)) visit(look, stmt, 'top', new Set())
  const isAboutTenants = [...look.tables].some((table) => schema.tenantTables.has(table))
  if (isAboutTenants && isSomewhere(stmts, (node) => inner(node, 'VariableSetStmt') !== null))
    look.problems.add(
      'a setting is in one text with a statement about tables of tenants, and Citus passes all of it on to other nodes, which refuse it: send them one by one',
    )
  const local = [...look.tables].filter((table) => schema.localTables.has(table))
  if (local.length > 0 && isAboutTenants)
    look.problems.add(`${local.join(', ')}, which belongs to no tenant, is read together with tables of tenants`)
  return [...look.problems]
}
type Look = { schema: Schema; allowed: ReadonlySet<Allowance['allows']>; problems: Set<string>; tables: Set<string> }
type Place = 'top' | 'cte' | 'subquery'
type Names = ReadonlySet<string>
type Table = { name: string; alias: string }

/** Walks through everything below, and checks each query. */
function visit(look: Look, value: unknown, place: Place, ctes: Names): void {
  if (Array.isArray(value)) {
    for (const each of value) visit(look, each, place, ctes)
    return
  }
  if (!isNode(value)) return
  for (const [key, below] of Object.entries(value)) {
    if (key === 'SelectStmt') visitSelect(look, below as Node, place, ctes)
    else if (key === 'InsertStmt') visitInsert(look, below as Node, ctes)
    else if (key === 'UpdateStmt' || key === 'DeleteStmt') visitChange(look, below as Node, ctes)
    else if (key === 'MergeStmt' || key === 'TruncateStmt') refuseWhole(look, key, below as Node)
    else if (key === 'FuncCall') visitCall(look, below as Node, place, ctes)
    else if (key === 'VariableSetStmt') visitSet(look, below as Node)
    else visit(look, below, place === 'top' && isStatement(key) ? 'top' : 'subquery', ctes)
  }
}

// Statements that contain a whole query, which is checked like a statement.
const isStatement = (key: string): boolean =>
  ['CreateTableAsStmt', 'query', 'CopyStmt', 'DeclareCursorStmt'].includes(key)

/** Neither names the tenant of each table, and Citus does not run every form of MERGE. */
function refuseWhole(look: Look, key: string, query: Node): void {
  const relations = key === 'MergeStmt' ? [{ RangeVar: query.relation }] : nodes(query.relations)
  for (const { name } of sourcesOf(relations, new Set()).tables)
    if (look.schema.tenantTables.has(name))
      look.problems.add(`${key === 'MergeStmt' ? 'merge' : 'truncate'} writes ${name}: say insert, update or delete`)
}

function visitCall(look: Look, call: Node, place: Place, ctes: Names): void {
  const isSetting = nodes(call.funcname).some((part) => inner(part, 'String')?.sval === 'set_config')
  if (isSetting && !look.allowed.has('settings'))
    look.problems.add('set_config is not passed on to other nodes: use set local')
  visit(look, Object.values(call), place, ctes)
}

function visitSet(look: Look, { is_local, kind, name }: Node): void {
  if (is_local !== true && kind !== 'VAR_RESET' && !look.allowed.has('settings'))
    look.problems.add(`${textOf(name)} is set for the session: use set local`)
}

/** The names of CTEs that a query sees; each CTE is checked separately. */
function visitCtes(look: Look, query: Node, before: Names): Names {
  const names = new Set(before)
  const { ctes, recursive } = (query.withClause ?? {}) as Node
  for (const each of nodes(ctes)) {
    const { ctename, ctequery } = inner(each, 'CommonTableExpr') ?? {}
    const seen = recursive === true ? new Set(names).add(textOf(ctename)) : new Set(names)
    visit(look, ctequery, 'cte', seen)
    names.add(textOf(ctename))
  }
  return names
}

function visitSelect(look: Look, query: Node, place: Place, before: Names): void {
  const ctes = visitCtes(look, query, before)
  if (isNode(query.larg) && isNode(query.rarg)) {
    visitSelect(look, query.larg, place, ctes)
    visitSelect(look, query.rarg, place, ctes)
    visit(look, [query.sortClause, query.limitCount, query.limitOffset], 'subquery', ctes)
    return
  }
  if (query.valuesLists === undefined && nodes(query.targetList).length === 0)
    look.problems.add('select without columns: say select 1')
  const from = sourcesOf(query.fromClause, ctes)
  const isLocking = nodes(query.lockingClause).length > 0
  const isJoined = from.aliases.size > 1 || from.inside.length > 0 || subqueriesOf(query.whereClause).length > 0
  if (isLocking && place !== 'top' && isJoined)
    look.problems.add('a query within another holds rows and joins: hold them in a query of one table, and join it')
  checkTenant(look, from, [query.whereClause], isLocking)
  const { withClause: _, fromClause: __, lockingClause: ___, ...rest } = query
  visitRest(look, from, rest, ctes)
}

function visitInsert(look: Look, query: Node, before: Names): void {
  const ctes = visitCtes(look, query, before)
  const table = textOf((query.relation as Node).relname)
  look.tables.add(table)
  if (look.schema.tenantTables.has(table)) {
    const place = nodes(query.cols).findIndex((column) => inner(column, 'ResTarget')?.name === 'tenant_id')
    const values = nodes(inner(query.selectStmt, 'SelectStmt')?.valuesLists)
    if (place < 0) look.problems.add(`the rows for ${table} have no tenant_id`)
    else if (values.some((row) => !isParameter(nodes(inner(row, 'List')?.items)[place])))
      look.problems.add(`the tenant_id of a row for ${table} is not a parameter`)
    // The rows of a select are written by another statement, which gets the parameters without their types.
    if (values.length === 0 && isSomewhere(query.onConflictClause, (node) => inner(node, 'ParamRef') !== null))
      look.problems.add(
        `a parameter is in the ON CONFLICT of an insert into ${table} from a select, which Citus refuses: say excluded`,
      )
  }
  const { withClause: _, relation: __, cols: ___, ...rest } = query
  visit(look, rest, 'subquery', ctes)
}

function visitChange(look: Look, query: Node, before: Names): void {
  const written = textOf((query.relation as Node).relname)
  if (look.schema.tenantTables.has(written))
    for (const name of callsOf([query.targetList, query.whereClause]).filter((each) => volatile.has(each)))
      look.problems.add(`${name}() is volatile, which Citus refuses in an UPDATE or DELETE of ${written}`)
  if (look.schema.tenantTables.has(written) && isMovedByInterval([query.targetList, query.whereClause]))
    look.problems.add(
      `a column and an interval are added, which is not immutable, and Citus refuses it in an UPDATE or DELETE of ${written}: compare the difference of two times`,
    )
  const ctes = visitCtes(look, query, before)
  const from = sourcesOf([{ RangeVar: query.relation }, ...nodes(query.fromClause), ...nodes(query.usingClause)], ctes)
  if (nodes(query.targetList).some((column) => inner(column, 'ResTarget')?.name === 'tenant_id'))
    look.problems.add('the tenant_id of a row is changed')
  checkTenant(look, from, [query.whereClause], true)
  const { withClause: _, relation: __, fromClause: ___, usingClause: ____, ...rest } = query
  visitRest(look, from, rest, ctes)
}

// Not one of the catalog.
const isOurs = ({ schemaname }: Node): boolean => schemaname === undefined || schemaname === 'public'

/** The contents of FROM: tables, aliases of anything else, subqueries, and the conditions of joins. */
type Sources = { tables: Table[]; aliases: Set<string>; inside: unknown[]; conditions: unknown[] }

function sourcesOf(from: unknown, ctes: Names): Sources {
  const sources: Sources = { tables: [], aliases: new Set(), inside: [], conditions: [] }
  const add = (node: Node): void => {
    const table = inner(node, 'RangeVar')
    const join = inner(node, 'JoinExpr')
    if (join) {
      for (const side of [...nodes(join.larg), ...nodes(join.rarg)]) add(side)
      if (join.quals !== undefined) sources.conditions.push(join.quals)
      const using = nodes(join.usingClause).map((name) => inner(name, 'String')?.sval)
      if (using.includes('tenant_id')) sources.conditions.push({ usingTenant: true })
      return
    }
    if (table) {
      const name = textOf(table.relname)
      const alias = textOf((table.alias as Node | undefined)?.aliasname) || name
      sources.aliases.add(alias)
      if (isOurs(table) && !(table.schemaname === undefined && ctes.has(name))) sources.tables.push({ name, alias })
      return
    }
    for (const other of Object.values(node).filter(isNode))
      sources.aliases.add(textOf((other.alias as Node | undefined)?.aliasname))
    sources.inside.push(node)
  }
  for (const node of nodes(from)) add(node)
  return sources
}

/** The rest of a query: expressions, and the queries in them. */
function visitRest(look: Look, from: Sources, rest: Node, ctes: Names): void {
  for (const { name } of from.tables) look.tables.add(name)
  checkTemporary(look, from, [rest, from.conditions], ctes)
  visit(look, [rest, from.inside, from.conditions], 'subquery', ctes)
}

/** Each table of tenants is bound to a parameter, or by an equality to one that is. */
function checkTenant(look: Look, from: Sources, where: unknown[], isStrict: boolean): void {
  const tables = from.tables.filter(({ name }) => look.schema.tenantTables.has(name))
  if (tables.length === 0 || (look.allowed.has('reading all tenants') && !isStrict)) return
  const bound = new Set<string>()
  const equal: [string, string][] = []
  const aliasOf = (value: unknown): string | null => {
    const parts = nodes(inner(value, 'ColumnRef')?.fields).map((field) => textOf(inner(field, 'String')?.sval))
    if (parts.at(-1) !== 'tenant_id') return null
    // Without a qualifier there is only one table that it can be of.
    return parts.length > 1 ? (parts[0] ?? null) : (tables[0]?.alias ?? null)
  }
  for (const condition of [...from.conditions, ...where].flatMap(conjuncts)) {
    if (isNode(condition) && condition.usingTenant === true)
      for (const { alias } of tables) equal.push([alias, tables[0]?.alias ?? alias])
    const { lexpr, rexpr, name, kind } = inner(condition, 'A_Expr') ?? {}
    if (!nodes(name).some((part) => inner(part, 'String')?.sval === '=')) continue
    const left = aliasOf(lexpr)
    const right = aliasOf(rexpr)
    if (left !== null && right !== null && kind === 'AEXPR_OP') equal.push([left, right])
    else if (left !== null && isParameter(rexpr)) bound.add(left)
    else if (right !== null && isParameter(lexpr)) bound.add(right)
  }
  const own = new Set(tables.map(({ alias }) => alias))
  for (let size = -1; size !== bound.size; ) {
    size = bound.size
    for (const [a, b] of equal) {
      if (own.has(a) && own.has(b) && bound.has(a)) bound.add(b)
      if (own.has(a) && own.has(b) && bound.has(b)) bound.add(a)
    }
  }
  for (const { name, alias } of tables)
    if (!bound.has(alias))
      look.problems.add(`${name === alias ? name : `${name} ${alias}`} is not bound to a tenant: tenant_id = $n`)
}

/** Citus joins a temporary table with a distributed one, but does not query one for each row of the other. */
function checkTemporary(look: Look, from: Sources, expressions: unknown[], ctes: Names): void {
  const { tenantTables, localTables } = look.schema
  const isTenants = (name: string): boolean => tenantTables.has(name)
  const isTemporary = (name: string): boolean =>
    !tenantTables.has(name) && !localTables.has(name) && name !== referenceTable
  for (const query of subqueriesOf(expressions)) {
    const below = namesIn(query, ctes)
    const isCorrelated = below.asked.some((name) => from.aliases.has(name) && !below.aliases.has(name))
    if (!isCorrelated) continue
    const crosses = (a: (name: string) => boolean, b: (name: string) => boolean): boolean =>
      from.tables.some(({ name }) => a(name)) && below.tables.some(b)
    if (crosses(isTenants, isTemporary) || crosses(isTemporary, isTenants))
      look.problems.add(
        `${[...from.tables.map(({ name }) => name), ...below.tables].join(', ')}: a subquery looks into a temporary table for each row of a table of tenants, or the other way round: join them`,
      )
  }
}

function namesIn(query: unknown, ctes: Names): { tables: string[]; aliases: Set<string>; asked: string[] } {
  const names = { tables: [] as string[], aliases: new Set<string>(), asked: [] as string[] }
  const own = new Set(ctes)
  const go = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(go)
    if (!isNode(value)) return
    const cte = inner(value, 'CommonTableExpr')
    if (cte) own.add(textOf(cte.ctename))
    const table = inner(value, 'RangeVar')
    if (table) {
      const name = textOf(table.relname)
      names.aliases.add(textOf((table.alias as Node | undefined)?.aliasname) || name)
      if (isOurs(table) && !(table.schemaname === undefined && own.has(name))) names.tables.push(name)
    }
    for (const kind of ['RangeSubselect', 'RangeFunction'])
      names.aliases.add(textOf((inner(value, kind)?.alias as Node | undefined)?.aliasname))
    const fields = nodes(inner(value, 'ColumnRef')?.fields)
    if (fields.length > 1) names.asked.push(textOf(inner(fields[0], 'String')?.sval))
    Object.values(value).forEach(go)
  }
  go(query)
  return names
}
