import type { Tx } from '#kernel/sql.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { causeOf } from '#rooms/foundation/systemlog/index.ts'
import { managerArrived } from '../../jobs.ts'
import { isAwaited } from '../../people/managers.ts'
import { managerOf } from '../../people/person.ts'
import type { Resource } from '../../resource.ts'
import type { ScimCall } from '../serving.ts'
import { findUserIdOf } from './store.ts'
import type { DirectoryUser } from './user.ts'

export async function findManager(tx: Tx, { call, directory }: ScimCall, resource: Resource): Promise<string | null> {
  const manager = managerOf(resource)
  return manager === '' ? null : findUserIdOf(tx, call.tenant.id, directory.appId, manager)
}

/** The names that other users may give for this manager, besides the id. */
export const namesOf = ({ resource, userName }: Pick<DirectoryUser, 'resource' | 'userName'>): string[] =>
  [userName, ...(typeof resource['externalId'] === 'string' ? [resource['externalId']] : [])].filter(
    (name) => name !== '',
  )

/** Starts the job that sets this manager for the users who are waiting for them, if there are any. */
export async function enqueueManagerArrived(
  tx: Tx,
  { call, directory: { appId } }: ScimCall,
  row: DirectoryUser,
): Promise<void> {
  if (!(await isAwaited(tx, call.tenant.id, appId, namesOf(row)))) return
  await enqueue(tx, call, causeOf(call), managerArrived, { payload: { appId, accountId: row.id }, key: row.id })
}
