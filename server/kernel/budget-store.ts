import type { Db, Fragment } from './sql.ts'

export type Limit = { burst: number; perSecond: number }
export type Taken = {
  left: number
  /** How many were refused since the last that was not; null if this one is refused. */
  told: number | null
}

/** What is left at present of the row `b`: by the database's clock, which all servers share. */
const available = (db: Db, { burst, perSecond }: Limit): Fragment => db`
  least(${burst}::float8, b.left_over + greatest(0, extract(epoch from excluded.at - b.at)::float8) * ${perSecond}::float8)`

/** Takes one, if there is one; `refused` were refused without a statement. */
export async function takeFromBudget(
  db: Db,
  { name, slot, limit, refused }: { name: string; slot: number; limit: Limit; refused: number },
): Promise<Taken> {
  const { burst, perSecond } = limit
  const left = available(db, limit)
  const [row] = await db<Taken[]>`
    insert into budgets as b (name, slot, left_over, at, told, full_at)
    values (${name}, ${slot}::int, ${burst}::float8 - 1, clock_timestamp(), ${refused}::int,
      clock_timestamp() + make_interval(secs => 1 / ${perSecond}::float8))
    on conflict (name, slot) do update set
      left_over = ${left} - (${left} >= 1)::int,
      at = excluded.at,
      told = case when ${left} >= 1 then b.refused + ${refused}::int end,
      refused = case when ${left} >= 1 then 0 else b.refused + ${refused}::int + 1 end,
      full_at = excluded.at + make_interval(secs => (${burst}::float8 - ${left} + 1) / ${perSecond}::float8)
    returning left_over as left, told`
  return row as Taken
}

/** Takes what was spent already, whether there is enough or not; returns what is left. */
export async function spendFromBudget(
  db: Db,
  { name, limit }: { name: string; limit: Limit },
  spent: ReadonlyMap<number, number>,
): Promise<{ slot: number; left: number }[]> {
  const { burst, perSecond } = limit
  // What is missing for it to be full.
  const missing = db`(${burst}::float8 - greatest(${-burst}::float8,
    ${available(db, limit)} - (${burst}::float8 - excluded.left_over)))`
  return db<{ slot: number; left: number }[]>`
    insert into budgets as b (name, slot, left_over, at, full_at)
    select ${name}, s.slot, ${burst}::float8 - s.spent, clock_timestamp(),
      clock_timestamp() + make_interval(secs => s.spent / ${perSecond}::float8)
    from unnest(${[...spent.keys()]}::int[], ${[...spent.values()]}::float8[]) as s (slot, spent)
    order by s.slot
    on conflict (name, slot) do update set
      left_over = ${burst}::float8 - ${missing},
      at = excluded.at,
      full_at = excluded.at + make_interval(secs => ${missing} / ${perSecond}::float8)
    returning slot, left_over as left`
}

/** Rows that are equivalent to no row. Unreported refusals are kept for another hour. */
export async function deleteFullBudgets(db: Db): Promise<void> {
  await db`
    delete from budgets
    where full_at < clock_timestamp() - case when refused > 0 then interval '1 hour' else interval '0' end`
}
