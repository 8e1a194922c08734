import { ObjectPermissions } from '#kernel/expand.ts'
import type { Page, Position } from '#kernel/pages.ts'
import type { Call } from '#kernel/routes.ts'
import { asWritten, objectText } from '#kernel/wire.ts'
import { sourcesText, type ToldSources } from './sources.ts'
import type { UserLine } from './store/read.ts'
import { permissionsOn, UserMessage, UserView } from './view.ts'

const separator = '\u001f'
const idOf = ({ line }: UserLine): string => line.slice(0, line.indexOf(separator))

const { text } = UserMessage.fields.displayName

// `{plain,"with \"quotes\""}`, as PostgreSQL writes a list: what is quoted has a backslash before quotes and backslashes.
const items = /"((?:[^"\\]|\\.)*)"|[^,]+/gs
function listText(of: string): string {
  if (of === '{}') return '[]'
  const texts: string[] = []
  // Where it does not begin at 1, its bounds stand before it.
  for (const [item, inQuotes] of of.slice(of.indexOf('{') + 1, -1).matchAll(items))
    if (inQuotes !== undefined) texts.push(text(inQuotes.replaceAll(/\\(.)/gs, '$1')))
    else texts.push(item === 'NULL' ? '""' : text(item))
  return `[${texts.join(',')}]`
}

const profile = (json: string): string => (json === '{}' ? json : objectText(JSON.parse(json) as object))

const [dash, space, dot] = ['-', ' ', '.']
// `2026-01-31 12:00:00.12+00`, as PostgreSQL writes a moment in UTC, without the zeros at the end of a fraction.
function momentText(moment: string): string {
  const end = moment.length - 3
  const isUsual =
    end >= 19 &&
    end <= 23 &&
    moment.endsWith('+00') &&
    moment[4] === dash &&
    moment[10] === space &&
    (end === 19 || moment[19] === dot)
  if (!isUsual) return JSON.stringify(new Date(moment))
  return `"${moment.slice(0, 10)}T${moment.slice(11, 19)}.${moment.slice(20, end).padEnd(3, '0')}Z"`
}
// What was made in one go has one time, and what was never changed has the same twice.
let last = { time: '', json: 'null' }
function timeText(of: string): string {
  if (of !== last.time) last = { time: of, json: of === '' ? 'null' : momentText(of) }
  return last.json
}

/** How each field of a line becomes JSON, in the order of the line and of the message. */
const writers: {
  readonly [F in Exclude<keyof typeof UserMessage.fields, keyof ToldSources>]: (part: string) => string
} = {
  id: text,
  type: text,
  origin: text,
  status: text,
  directoryStatus: text,
  displayName: text,
  email: text,
  emails: listText,
  username: text,
  usernames: listText,
  employeeIds: listText,
  department: text,
  jobTitle: text,
  employmentType: text,
  employmentStatus: text,
  managerIds: listText,
  roleIds: listText,
  delegatedUserId: text,
  profile,
  createdAt: timeText,
  updatedAt: timeText,
  deletedAt: timeText,
}
const places = new Map(Object.keys(writers).map((name, at) => [name, at]))
const fields = Object.entries(writers).map(([name, write], at) => ({
  head: `${at === 0 ? '{' : ','}${JSON.stringify(name)}:`,
  write,
}))

/** A user as JSON; null where a value has a separator in it, so that nobody can tell where it ends. */
function userText(line: string): string | null {
  const parts = line.split(separator)
  // The last is where they come from.
  if (parts.length !== fields.length + 1) return null
  let json = ''
  for (let at = 0; at < fields.length; at++) {
    const { head, write } = fields[at] as (typeof fields)[number]
    json += head + write(parts[at] as string)
  }
  const valueOf = (field: string): string => {
    const at = places.get(field) as number
    return (fields[at] as (typeof fields)[number]).write(parts[at] as string)
  }
  return `${json}${sourcesText(parts[fields.length] as string, valueOf)}}`
}

// A page of more is written piece by piece, with others having their turn in between: see kernel/json.ts.
const lengthMax = 100_000

/** A page of views without neighbours, from lines; null where it has to be read field by field. */
export function viewLines(
  { actor }: Pick<Call, 'actor'>,
  page: Page,
  found: readonly UserLine[],
  positionOf: (found: { key: string; id: string }) => Position,
) {
  if (found.reduce((sum, { line }) => sum + line.length, 0) > lengthMax) return null
  const { list: lines, nextPageToken } = page.cut(
    found,
    (row) => positionOf({ key: row.key, id: idOf(row) }),
    (row) => row,
  )
  const paths = '"rolesPath":"","managersPath":"","delegatedUserPath":""'
  const tail = `${paths},"objectPermissions":${ObjectPermissions.text(permissionsOn(actor))}}`
  const list = []
  for (const row of lines) {
    const user = userText(row.line)
    if (user === null) return null
    list.push(asWritten(UserView, `{"user":${user},"userId":"${idOf(row)}",${tail}`))
  }
  return { list, nextPageToken }
}
