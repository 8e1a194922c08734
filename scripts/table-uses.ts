import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from '@swc/core'
import { type Columns, hole, runTimeName, type Words, wordsOf } from './sql-words.ts'

/** What a source does with a table, by the SQL in it, or with one that it names only at run time. */
export type Use =
  | { file: string; does: 'write'; table: string }
  | { file: string; does: 'read'; table: string; column: string }
  | { file: string; does: 'name at run time' }

const schemaFile = new URL('../server/database/schema.sql', import.meta.url)

export function readColumns(sql = readFileSync(schemaFile, 'utf8')): Columns {
  const definitions = sql.matchAll(/^create (?:unlogged )?table (\w+) \(\n(.*?)^\);/gms)
  return new Map(
    [...definitions].map(([, name = '', body = '']) => [
      name,
      new Set([...body.matchAll(/^ {2}(?!constraint )(\w+) /gm)].map(([, column = '']) => column)),
    ]),
  )
}

/** A string of a source, and the template that it is inserted into. */
type Text = { text: string; isTagged: boolean; within: Text | null }

type Node = { readonly [key: string]: unknown }
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const nodes = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : [])

/** All strings of a source, and the tables whose records it has the room of writes write. */
function readSource(source: string): { texts: Text[]; written: (string | null)[] } {
  const texts: Text[] = []
  const written: (string | null)[] = []
  const add = (text: Text): Text => {
    texts.push(text)
    return text
  }
  const visit = (value: unknown, within: Text | null): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, within)
    if (!isNode(value) || value['type'] === 'ImportDeclaration' || value['type'] === 'TsLiteralType') return
    const template = value['type'] === 'TaggedTemplateExpression' ? (value['template'] as Node) : value
    if (template['type'] === 'TemplateLiteral') {
      const holes = nodes(template['expressions'])
      const parts = nodes(template['quasis']).map(
        ({ cooked, raw }, at) => `${at === 0 ? '' : holeOf(holes[at - 1])}${String(cooked ?? raw)}`,
      )
      const text = add({ text: parts.join(''), isTagged: template !== value, within })
      visit(holes, text)
      return
    }
    if (value['type'] === 'StringLiteral') add({ text: String(value['value']), isTagged: false, within })
    if (value['type'] === 'CallExpression') written.push(...recordsWrittenBy(value))
    for (const each of Object.values(value)) if (typeof each === 'object') visit(each, within)
  }
  visit(parseSync(source, { syntax: 'typescript', target: 'esnext' }).body, null)
  return { texts, written }
}

/** `tx(table)` puts a name into a text. */
const holeOf = (expression: Node | undefined): string => {
  const { type, callee, arguments: given } = expression ?? {}
  const isName = type === 'CallExpression' && isNode(callee) && ['db', 'tx', 'sql'].includes(String(callee['value']))
  return isName && nodes(given).length === 1 ? runTimeName : hole
}

/** `insertRecords(tx, tenantId, 'users', …)`: the SQL is that of foundation/writes, and the write is the caller's. */
function recordsWrittenBy({ callee, arguments: given }: Node): (string | null)[] {
  if (!isNode(callee) || !['insertRecords', 'updateRecords'].includes(String(callee['value']))) return []
  const table = nodes(given)[2]?.['expression']
  return [isNode(table) && table['type'] === 'StringLiteral' ? String(table['value']) : null]
}

/** What has no tag may be English, in which these words are rare. */
const isSql = ({ text, isTagged }: Text): boolean =>
  isTagged || /\b(?:tenant_id|select|insert into|delete from|\w+_id)\b/.test(text) || /^\s*\w+ \w$/.test(text)

type Aliases = ReadonlyMap<string, ReadonlySet<string>>

function merge(all: readonly Aliases[]): Aliases {
  const merged = new Map<string, Set<string>>()
  for (const [alias, tables] of all.flatMap((aliases) => [...aliases]))
    merged.set(alias, (merged.get(alias) ?? new Set()).union(tables))
  return merged
}

const tablesOf = (aliases: Aliases): Set<string> => new Set([...aliases.values()].flatMap((tables) => [...tables]))

/**
 * What a source does with tables. A name of a table is looked for in the text where it is used, in those around it, and then in
 * the whole file. A column without such a name belongs to the only table that has it. What a part of a statement names of the
 * table of another file is not seen.
 */
export function usesIn(file: string, source: string, columns: Columns): Use[] {
  const { texts, written } = readSource(source)
  const found = new Map<Text, Words>(texts.filter(isSql).map((text) => [text, wordsOf(text.text, columns)]))
  const ofFile = merge([...found.values()].map(({ aliases }) => aliases))
  const uses = new Map<string, Use>()
  const write = (table: string): void => void uses.set(`write ${table}`, { file, table, does: 'write' })
  const read = (table: string, column: string): void =>
    void uses.set(`read ${table} ${column}`, { file, table, does: 'read', column })
  const nameAtRunTime = (): void => void uses.set('run time', { file, does: 'name at run time' })
  for (const table of written)
    if (table === null) nameAtRunTime()
    else write(table)
  for (const [text, words] of found) {
    if (words.hasRunTimeName) nameAtRunTime()
    for (const table of words.writes) write(table)
    for (const table of tablesOf(words.aliases)) read(table, 'tenant_id')
    const around = aliasesAround(text, found)
    const hasColumn = (table: string, column: string): boolean =>
      column === '*' || columns.get(table)?.has(column) === true
    for (const [alias = '', column = ''] of [...words.dotted].map((dotted) => dotted.split('.')))
      for (const table of around.get(alias) ?? ofFile.get(alias) ?? [])
        if (hasColumn(table, column)) read(table, column)
    if (around.size === 0 && !text.isTagged) continue
    for (const column of words.bare) {
      if (column === '*' && around.size === 0) continue
      const having = [...tablesOf(around.size > 0 ? around : ofFile)].filter((table) => hasColumn(table, column))
      if (having[0] !== undefined && having.length === 1) read(having[0], column)
    }
  }
  return [...uses.values()]
}

/** The names of tables that a text sees: its own, and those around it. */
function aliasesAround(text: Text, found: ReadonlyMap<Text, Words>): Aliases {
  const aliases = new Map<string, ReadonlySet<string>>()
  for (let at: Text | null = text; at !== null; at = at.within)
    for (const [alias, tables] of found.get(at)?.aliases ?? []) if (!aliases.has(alias)) aliases.set(alias, tables)
  return aliases
}

/** What all sources do that are no part of the schema. */
export function usesUnder(root: string, columns: Columns): Use[] {
  return globSync('{server,cli}/**/*.ts', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.startsWith('server/database/') && !path.includes('node_modules/'))
    .toSorted()
    .flatMap((path) => usesIn(path, readFileSync(join(root, path), 'utf8'), columns))
}
