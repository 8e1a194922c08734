export type Node = { readonly [key: string]: unknown }

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const nodes = (value: unknown): Node[] =>
  Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []
export const inner = (node: unknown, kind: string): Node | null =>
  isNode(node) && isNode(node[kind]) ? node[kind] : null
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const volatile = new Set(['clock_timestamp', 'random', 'gen_random_uuid', 'nextval'])

/** The names of the functions that are called somewhere below. */
export const callsOf = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(callsOf)
  if (!isNode(value)) return []
  const name = nodes(inner(value, 'FuncCall')?.funcname).at(-1)
  return [...(name ? [textOf(inner(name, 'String')?.sval)] : []), ...Object.values(value).flatMap(callsOf)]
}

const operatorOf = ({ name }: Node): string => textOf(inner(nodes(name).at(-1), 'String')?.sval)
export const isSomewhere = (value: unknown, is: (node: Node) => boolean): boolean =>
  Array.isArray(value)
    ? value.some((each) => isSomewhere(each, is))
    : isNode(value) && (is(value) || Object.values(value).some((each) => isSomewhere(each, is)))
const isInterval = (node: Node): boolean =>
  nodes((inner(node, 'TypeCast')?.typeName as Node | undefined)?.names).some(
    (part) => inner(part, 'String')?.sval === 'interval',
  ) || nodes(inner(node, 'FuncCall')?.funcname).some((part) => inner(part, 'String')?.sval === 'make_interval')

/** Whether a column is added to an interval, or one is taken from the other: of a timestamptz that depends on the time zone. */
export const isMovedByInterval = (value: unknown): boolean =>
  isSomewhere(value, (node) => {
    const sum = inner(node, 'A_Expr')
    return (
      sum !== null &&
      ['+', '-'].includes(operatorOf(sum)) &&
      isSomewhere(sum, isInterval) &&
      isSomewhere(sum, (each) => inner(each, 'ColumnRef') !== null)
    )
  })

export const conjuncts = (condition: unknown): unknown[] => {
  const all = inner(condition, 'BoolExpr')
  return all?.boolop === 'AND_EXPR' ? nodes(all.args).flatMap(conjuncts) : [condition]
}

export function isParameter(value: unknown): boolean {
  if (inner(value, 'ParamRef')) return true
  const cast = inner(value, 'TypeCast')
  if (cast) return isParameter(cast.arg)
  const list = inner(value, 'List')
  return list !== null && nodes(list.items).every(isParameter)
}

export function subqueriesOf(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(subqueriesOf)
  if (!isNode(value)) return []
  const link = inner(value, 'SubLink')
  if (link) return [...nodes(link.subselect), ...subqueriesOf(link.testexpr)]
  return Object.values(value).flatMap(subqueriesOf)
}
