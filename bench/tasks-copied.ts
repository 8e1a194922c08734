import type { Db, Reserved } from '#kernel/sql.ts'
import { filling } from './automation.ts'

export const numbered = (prefix: string, n: number): string => prefix + String(n).padStart(27 - prefix.length, '0')
export const inSql = (prefix: string, n: string): string =>
  `'${prefix}' || lpad((${n})::text, ${27 - prefix.length}, '0')`
export const prefixes = {
  user: '2TaskUser',
  app: '2TaskApp',
  entitlement: '2TaskEntl',
  account: '2TaskAcct',
  task: '2TaskTask',
  step: '2TaskStep',
  event: '2TaskEvnt',
  grant: '2TaskGrnt',
}

export type Copying = {
  count: number
  managers: number
  users: number
  apps: number
  /** Two tasks that are copied, and the numbers of whom they are about. */
  open: string
  closed: string
  subjects: readonly [open: number, closed: number]
}

/** Task n is about the user n / 10, and one in ten is open. In the order of their keys, and by several connections. */
export async function copyTasks(db: Db, copying: Copying): Promise<void> {
  const { count, managers, users, apps } = copying
  const user = `(n / 10) % ${users}`
  const subjectId = inSql(prefixes.user, user)
  const managerId = inSql(prefixes.user, `((n / 10) + 1) % ${managers}`)
  const at = `now() - (${count} - n) * interval '20 seconds'`
  const kinds = [
    { id: copying.open, subject: copying.subjects[0], isOpen: true },
    { id: copying.closed, subject: copying.subjects[1], isOpen: false },
  ]
  const half = Math.floor(count / 20) * 10
  const parts = [`n < ${half}`, `n >= ${half}`]
  const isOpen = 'n % 10 = 0'
  const ofTask = { task_id: inSql(prefixes.task, 'n') }
  const work: ((session: Reserved) => Promise<void>)[] = []
  for (const part of parts)
    for (const { id, subject, isOpen: isOpenOne } of kinds)
      work.push(async (session) => {
        const like = {
          rows: rowsOf(count, `${part} and ${isOpenOne ? '' : 'not '}(${isOpen})`),
          like: `task_id = '${id}'`,
        }
        await copy(session, 'task_events', like, {
          ...ofTask,
          event_id: inSql(prefixes.event, 'n::bigint * 100 + s.number'),
          by_user_id: `case when s.by_user_id = '${numbered(prefixes.user, 0)}' then ${managerId} when s.by_user_id = '' then '' else ${subjectId} end`,
          happened_at: at,
          data: await toldOf(session, id, subject, subjectId, managerId),
        })
      })
  for (const { id, isOpen: isOpenOne } of kinds) {
    const like = { rows: rowsOf(count, `${isOpenOne ? '' : 'not '}(${isOpen})`), like: `task_id = '${id}'` }
    work.push(
      (session) =>
        copy(session, 'tasks', like, {
          ...ofTask,
          number: '1000000 + n',
          subject_user_id: subjectId,
          created_by: subjectId,
          app_id: inSql(prefixes.app, `(n / 10) % ${apps}`),
          entitlement_id: inSql(prefixes.entitlement, `n / 10 / ${users} % 5`),
          display_name: `'Grant Entitlement ' || n / 10 / ${users} % 5 || ': Person ' || ${user}`,
          step_id: isOpenOne ? inSql(prefixes.step, 'n::bigint * 10') : `''`,
          approver_ids: isOpenOne ? `'{}'` : `array[${managerId}]`,
          created_at: at,
          updated_at: at,
          ...(!isOpenOne && { outcome_at: at }),
        }),
      (session) => copy(session, isOpenOne ? 'task_assignees' : 'task_actors', like, { ...ofTask, user_id: managerId }),
    )
  }
  const next = (): Promise<void> =>
    filling(db, async (session) => {
      for (let each = work.shift(); each; each = work.shift()) await each(session)
    })
  await Promise.all([next(), next(), next()])
}

const rowsOf = (count: number, where: string): string => `generate_series(0, ${count - 1}) n where ${where}`

/** What the events of a copy tell: the ids of its own people and steps. */
async function toldOf(
  session: Reserved,
  id: string,
  subject: number,
  subjectId: string,
  managerId: string,
): Promise<string> {
  const events = await session.unsafe<{ number: number; stepId: string | null; data: string }[]>(
    `select number, case when kind = 'begun' then data ->> 'stepId' end as "stepId", data::text as data
    from task_events where task_id = '${id}' order by number`,
  )
  const replaced = [
    [numbered(prefixes.user, subject), subjectId],
    [numbered(prefixes.user, 0), managerId],
    ...events
      .flatMap(({ stepId: step }) => step ?? [])
      .map((step, place) => [step, inSql(prefixes.step, `n::bigint * 10 + ${place}`)]),
  ] as [string, string][]
  // A constant where an event tells of no ids, as the long one of the route: a million are not read as JSON again.
  const told = events.map(({ number, data }) => {
    const text = replaced
      .filter(([from]) => data.includes(from))
      .reduce((sql, [from, to]) => `replace(${sql}, '${from}', ${to})`, `'${data.replaceAll("'", "''")}'`)
    return `when ${number} then (${text})::jsonb`
  })
  return `case s.number ${told.join(' ')} end`
}

/** Rows of a table that are like some others of it, but for some columns. */
async function copy(
  session: Reserved,
  table: string,
  { rows, like }: { rows: string; like: string },
  changed: Record<string, string>,
): Promise<void> {
  const columns = await session.unsafe<{ name: string }[]>(
    `select column_name as name from information_schema.columns where table_name = '${table}' order by ordinal_position`,
  )
  const names = columns.map(({ name }) => name)
  await session.unsafe(`
    insert into ${table} (${names.join(', ')})
    select ${names.map((name) => changed[name] ?? `s.${name}`).join(', ')}
    from (select n from ${rows} offset 0) m cross join lateral (select * from ${table} where ${like} offset 0) s`)
}
