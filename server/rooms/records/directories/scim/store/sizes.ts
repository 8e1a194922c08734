import type { Reads, Tx } from '#kernel/sql.ts'

/** The number of rows that a count is split into: two simultaneous changes rarely need the same row. */
const parts = 16

type Sizes = { users: number; active: number }

/** To be called last in a transaction: others who need the same row wait until it ends. */
export async function addSizes(tx: Tx, tenantId: number, appId: string, { users, active }: Sizes): Promise<void> {
  if (users === 0 && active === 0) return
  const part = Math.floor(Math.random() * parts)
  await tx`
    insert into directory_sizes as x (tenant_id, app_id, part, users, active)
    values (${tenantId}, ${appId}, ${part}, ${users}, ${active})
    on conflict (tenant_id, app_id, part) do update set users = x.users + excluded.users,
      active = x.active + excluded.active`
}

/** How many users a directory that uses SCIM has, and how many of them are active, without counting them. */
export async function findSizes(db: Reads, tenantId: number, appId: string): Promise<Sizes> {
  const [row] = await db<Sizes[]>`
    select coalesce(sum(users), 0)::int as users, coalesce(sum(active), 0)::int as active from directory_sizes
    where tenant_id = ${tenantId} and app_id = ${appId}`
  return row ?? { users: 0, active: 0 }
}
