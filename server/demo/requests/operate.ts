import type { Actor, Call, Input, Route, Tenancy } from '#kernel/routes.ts'
import { type Tx, within } from '#kernel/sql.ts'
import type { Fields } from '#kernel/wire.ts'
import type { World } from '#kernel/world.ts'
import { listRolesOfUser, permitted } from '#rooms/identity/roles/index.ts'
import { findPerson } from '#rooms/identity/users/index.ts'

type Json = { readonly [name: string]: unknown }
/** Does what an operation of the API does, and answers what it replies. */
export type Operate = (id: string, path: { readonly [name: string]: string }, body: Json) => Promise<Json>

/** Operations of the API in the name of a user, within a transaction: what they refuse, this refuses. */
export async function operatorFor(
  tx: Tx,
  world: World,
  tenant: Tenancy,
  userId: string,
  routes: readonly Route[],
): Promise<Operate> {
  const db = within(tx)
  const actor = await actorOf({ ...world, db }, tenant, userId)
  return async (id, path, body) => {
    const route = routes.find((each) => each.id === id)
    if (!route) throw new Error(`there is no operation ${id}`)
    const call: Call = {
      ...world,
      db,
      tenant,
      actor,
      operation: id,
      requestId: '',
      sourceAddress: '127.0.0.1',
      headers: {},
      origin: '',
      sendHeader: () => {},
      shows: {},
      signal: new AbortController().signal,
    }
    const problems: { field: string; description: string }[] = []
    const read = route.body ? route.body.read(body, '', problems) : {}
    if (problems.length > 0) throw new Error(`${id} refuses its body: ${JSON.stringify(problems)}`)
    const input = { path, query: route.query.read({}, '', []), body: read, sent: body }
    return route.handle(call, input as unknown as Input<string, Fields, Fields>)
  }
}

async function actorOf(world: World, tenant: Tenancy, userId: string): Promise<Actor> {
  const person = await findPerson(world.db, tenant.id, userId)
  const roles = await listRolesOfUser(world, tenant.id, userId)
  return {
    userId,
    name: person?.displayName ?? '',
    email: person?.email ?? '',
    roleIds: roles.map(({ id }) => id),
    credentialId: '',
    clientId: '',
    tokenId: '',
    sessionId: '',
    ...permitted(roles, null),
    limits: { roleIds: [], sourceCidrs: [] },
  }
}
