import type { Db } from '#kernel/sql.ts'
import { unlimited } from './automation.ts'

/**
 * Has very many rows written into some tables: their indexes are built when the rows are there, and no checkpoint comes in
 * between. 100,000 tasks with 850,000 events took 23 s on a busy machine, where 50,000 had taken 27 s.
 */
export async function fillFast(db: Db, tables: readonly string[], fill: () => Promise<void>): Promise<void> {
  const among = `(${tables.map((table) => `'${table}'`).join(', ')})`
  // A primary key that others refer to stays: they would have to be dropped too.
  const keys = await db.unsafe<{ drop: string; create: string }[]>(`
    select format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname) as drop,
      format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) as create
    from pg_constraint c
    where c.conrelid::regclass::text in ${among} and c.contype = 'p'
      and not exists (select 1 from pg_constraint f where f.confrelid = c.conrelid)`)
  const indexes = await db.unsafe<{ drop: string; create: string }[]>(`
    select format('drop index %s', i.indexrelid::regclass) as drop, pg_get_indexdef(i.indexrelid) as create
    from pg_index i
    where i.indrelid::regclass::text in ${among} and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid)`)
  const all = [...keys, ...indexes]
  const set = async (...settings: string[]): Promise<void> => {
    for (const each of settings) await db.unsafe(`alter system ${each}`)
    await db.unsafe('select pg_reload_conf()')
  }
  await set("set max_wal_size = '16GB'", "set checkpoint_timeout = '1h'")
  for (const { drop } of all) await db.unsafe(drop)
  await fill()
  const creating = all.map(({ create }) => create)
  const build = (): Promise<void> =>
    unlimited(db, async (session) => {
      await session.unsafe("set maintenance_work_mem = '512MB'")
      for (let next = creating.shift(); next !== undefined; next = creating.shift()) await session.unsafe(next)
      await session.unsafe('reset maintenance_work_mem')
    })
  await Promise.all([build(), build()])
  await set('reset max_wal_size', 'reset checkpoint_timeout')
  await unlimited(db, (session) => session.unsafe('checkpoint'))
}
