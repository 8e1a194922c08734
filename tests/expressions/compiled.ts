import type { Reads } from '#kernel/sql.ts'
import type { Fragment, Looked, Subject } from '#rooms/rules/expressions/index.ts'
import { look } from '#rooms/rules/expressions/index.ts'
import { compile } from '../../server/rooms/rules/expressions/compile.ts'
import type { Compiled as InWorker, SqlScope } from '../../server/rooms/rules/expressions/expression.ts'
import { Problem, refusalOf } from '../../server/rooms/rules/expressions/language/problem.ts'
import { fragmentOf } from '../../server/rooms/rules/expressions/template.ts'

/** What the server does in a worker thread, here and now. */
export type Compiled = InWorker & {
  toSql(sql: Reads, scope: SqlScope): Fragment | null
  look(subject: Subject): readonly Looked[]
}

export function compileExpression(source: string, field = 'expression'): Compiled {
  try {
    const compiled = compile(source)
    return {
      ...compiled,
      toSql(sql, scope) {
        // As it comes from a worker thread.
        const template = structuredClone(compiled.template(scope.now))
        return template && fragmentOf(sql, template, scope)
      },
      look: (subject) => look(compiled, subject),
    }
  } catch (error) {
    if (error instanceof Problem) throw refusalOf(source, field, error)
    throw error
  }
}
