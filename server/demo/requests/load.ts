import type { Route, Tenancy } from '#kernel/routes.ts'
import { type Tx, within } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { foundTasks } from '#rooms/governance/tasks/index.ts'
import type { Company } from '../company.ts'
import { findsIn } from './find.ts'
import { operatorFor } from './operate.ts'
import { setUpRequests } from './settings.ts'
import { storiesOf } from './stories.ts'

/** How access is requested in the demo company, and what was. Answers how many requests there are. */
export async function loadRequests(
  tx: Tx,
  world: World,
  { tenant, ownerId, routes }: { tenant: Tenancy; ownerId: string; routes: readonly Route[] },
  company: Company,
): Promise<number> {
  const now = world.now()
  const finds = findsIn(company)
  const operate = await operatorFor(tx, world, tenant, ownerId, routes)
  await setUpRequests(operate, finds, now)
  return foundTasks(tx, { ...world, db: within(tx), tenant }, storiesOf(finds, ownerId, now))
}
