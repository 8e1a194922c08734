import type { Reads } from '#kernel/sql.ts'
import type { Fragment, FromScope, SqlScope, Template, TemplateValue } from './expression.ts'

type Part = { texts: readonly string[]; values: readonly unknown[] }
const parts = new WeakSet<object>()
const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null && parts.has(value)

/** Takes the place of a connection while a template is written: `sql`, and the scope of the statement. */
export function recorder(): { sql: Reads; scope: Omit<SqlScope, 'now'> & { moment: Date } } {
  const sql = (first: TemplateStringsArray | string, ...values: unknown[]): object => {
    if (typeof first === 'string') {
      // `users.email`: a column of the table of users is the only kind of name that occurs.
      const column: FromScope = { of: 'users', column: first.slice(first.indexOf('.') + 1) }
      return column
    }
    const part: Part = { texts: first, values }
    parts.add(part)
    return part
  }
  const scope = { tenantId: { of: 'tenantId' }, moment: { of: 'now' }, users: 'users' }
  return { sql: sql as unknown as Reads, scope: scope as never }
}

/** What was written on a recorder, as one template. */
export function templateOf(written: unknown): Template {
  const template: Template = { texts: [''], values: [] }
  const say = (text: string): void => {
    template.texts[template.texts.length - 1] += text
  }
  const write = (value: unknown): void => {
    if (isPart(value)) {
      say(value.texts[0] as string)
      for (const [at, each] of value.values.entries()) {
        write(each)
        say(value.texts[at + 1] as string)
      }
    } else if (Array.isArray(value) && isPart(value[0])) {
      for (const each of value) {
        say(' ')
        write(each)
      }
    } else {
      template.values.push(value as TemplateValue)
      template.texts.push('')
    }
  }
  write(written)
  return template
}

/** The template as a part of a statement of this connection. */
export function fragmentOf(sql: Reads, { texts, values }: Template, scope: SqlScope): Fragment {
  const given = values.map((value) => {
    if (typeof value !== 'object' || Array.isArray(value)) return value
    if (value.of === 'users') return sql(`${scope.users}.${value.column}`)
    return value.of === 'now' ? scope.now : scope.tenantId
  })
  const strings = Object.assign([...texts], { raw: texts }) as TemplateStringsArray
  return sql(strings, ...(given as never[]))
}
