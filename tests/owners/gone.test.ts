import { describe, expect, test } from 'vitest'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { importFile } from '#rooms/records/imports/index.ts'
import { done, prepare } from './support.ts'

const scene = prepare()
const open = async (): Promise<number> => {
  const [row] = await scene.server.db<{ count: number }[]>`select count(*) from owners where ended_at is null`
  return Number(row?.count)
}
const ended = (objectId: string) => scene.server.db<{ why: string; by: string }[]>`
  select ended_why as why, ended_by as by from owners where object_id = ${objectId}`
/** What the log says went, of the last deletion by this operation. */
const toldGone = async (operation: string): Promise<unknown[]> =>
  (await scene.logged(operation))
    .filter(({ message }) => message.startsWith('Removed ownerships of deleted objects'))
    .flatMap(({ resources }) => resources.map(({ type, data }) => ({ type, ...data })))

/** An app with a resource and an entitlement on it, an account, and owners of each. */
async function owned() {
  const appId = await scene.app()
  const { typeId, id: resourceId } = await scene.resource(appId)
  const entitlement = await scene.entitlement(appId, 'E', { resource: { typeId, id: resourceId } })
  const account = await scene.account(appId)
  const [owner, elsewhere] = [await scene.user(), await scene.app()]
  await scene.set(`apps/${appId}`, 'primary', { users: [owner] })
  await scene.set(`apps/${appId}/resource_types/${typeId}/resources/${resourceId}`, 'primary', { users: [owner] })
  await scene.set(`apps/${appId}/entitlements/${entitlement.id}`, 'primary', { users: [owner] })
  await scene.set(`apps/${appId}/users/${account.id}`, 'primary', { users: [owner] })
  await scene.set(`apps/${elsewhere}`, 'primary', { users: [owner], entitlements: [entitlement] })
  return { appId, typeId, resourceId, entitlement, account, owner, elsewhere }
}

describe('deleting', () => {
  test('an app ends its owners, those of all that is in it, and lets its entitlements own nothing', async () => {
    const before = await open()
    const { appId, resourceId, entitlement, account, owner, elsewhere } = await owned()
    done(await scene.remove(`/api/v1/apps/${appId}`, {}))
    expect(await open()).toBe(before + 1)
    expect(await scene.named(`apps/${elsewhere}`)).toEqual([`primary ${owner}`])
    for (const id of [appId, resourceId, entitlement.id, account.id])
      expect(await ended(id), id).toEqual([{ why: 'object_gone', by: scene.admin.userId }])
    const gone = await toldGone('app.v1.Apps.Delete')
    expect(gone).toHaveLength(5)
    expect(gone).toContainEqual({ type: 'owner', change: 'removed', app: appId, roleSlug: 'primary', userId: owner })
    expect(gone).toContainEqual({
      type: 'owner',
      change: 'removed',
      app: elsewhere,
      roleSlug: 'primary',
      owningAppId: appId,
      owningEntitlementId: entitlement.id,
    })
    const [event] = await scene.logged('app.v1.Apps.Delete')
    expect(event?.resources[0]?.data).toMatchObject({ deletedAlong: { owners: 5 } })
  })

  test('an entitlement ends its owners, and lets it own nothing', async () => {
    const before = await open()
    const { appId, entitlement, owner, elsewhere } = await owned()
    done(await scene.remove(`/api/v1/apps/${appId}/entitlements/${entitlement.id}`, {}))
    expect(await open()).toBe(before + 4)
    expect(await scene.named(`apps/${elsewhere}`)).toEqual([`primary ${owner}`])
    expect(await toldGone('app.v1.AppEntitlements.Delete')).toHaveLength(2)
  })

  test.each([
    ['a resource', true],
    ['a resource type', false],
  ])('%s ends its owners and those of its entitlements', async (_what, isResource) => {
    const before = await open()
    const { appId, typeId, resourceId } = await owned()
    const type = `/api/v1/apps/${appId}/resource_types/${typeId}`
    done(await scene.remove(isResource ? `${type}/resources/${resourceId}` : type, {}))
    expect(await open()).toBe(before + 3)
    const kind = isResource ? 'AppResourceService' : 'AppResourceTypeService'
    const thing = isResource ? 'AppResource' : 'ResourceType'
    expect(await toldGone(`app.v1.${kind}.DeleteManuallyManaged${thing}`)).toHaveLength(3)
  })
})

test('a full import that leaves things out ends what they owned and who owned them; bringing them back does not', async () => {
  const { world, tenant } = scene.access
  const run = (lines: object[], isFull: boolean) =>
    importFile(world, operatorCause(tenant, 'import'), {
      source: (async function* () {
        yield Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'))
      })(),
      format: 'jsonl',
      isFull,
      isDryRun: false,
      isForced: true,
    } as never)
  const people = ['u1', 'u2'].map((externalId) => ({
    kind: 'user',
    externalId,
    displayName: externalId,
    email: `${externalId}@x.example`,
  }))
  const app = { kind: 'app', externalId: 'a1', displayName: 'a1' }
  const things = ['e1', 'e2'].map((externalId) => ({
    kind: 'entitlement',
    app: 'a1',
    externalId,
    displayName: externalId,
  }))
  const accounts = ['c1', 'c2'].map((externalId) => ({
    kind: 'account',
    app: 'a1',
    externalId,
    displayName: externalId,
  }))
  const all = [...people, app, ...things, ...accounts]
  await run(all, false)
  const idOf = async (table: string, column: string, externalId: string): Promise<string> => {
    const { db } = scene.server
    const [row] = await db<
      { id: string }[]
    >`select ${db(column)} as id from ${db(table)} where external_id = ${externalId}`
    return row?.id as string
  }
  const appId = await idOf('apps', 'app_id', 'a1')
  const [u1, u2] = [await idOf('users', 'user_id', 'u1'), await idOf('users', 'user_id', 'u2')]
  const [e1, e2] = [
    await idOf('entitlements', 'entitlement_id', 'e1'),
    await idOf('entitlements', 'entitlement_id', 'e2'),
  ]
  const [c1, c2] = [await idOf('accounts', 'account_id', 'c1'), await idOf('accounts', 'account_id', 'c2')]
  const owners = {
    users: [u1, u2],
    entitlements: [
      { appId, id: e1 },
      { appId, id: e2 },
    ],
  }
  const paths = [`apps/${appId}`, `apps/${appId}/entitlements/${e1}`, `apps/${appId}/entitlements/${e2}`]
  paths.push(`apps/${appId}/users/${c1}`, `apps/${appId}/users/${c2}`, `users/${u1}`, `users/${u2}`)
  for (const path of paths) await scene.set(path, 'primary', owners)

  await run(
    all.filter(({ externalId }) => !externalId.endsWith('2')),
    true,
  )
  const left = [`primary ${u1}`, `primary ${appId} ${e1}`].toSorted()
  for (const path of paths.filter((each) => ![e2, c2, u2].some((id) => each.endsWith(id))))
    expect(await scene.named(path), path).toEqual(left)
  const dangling = await scene.server.db`
    select 1 from owners o where o.ended_at is null and (o.object_id in (${e2}, ${c2}, ${u2}) or o.user_id = ${u2}
      or o.entitlement_id = ${e2})`
  expect(dangling).toHaveLength(0)
  const gone = (await toldGone('bailiwick import')) as { userId?: string; owningEntitlementId?: string }[]
  // Three of the seven things went, with four owners each; of the other four, two owners each.
  expect(gone).toHaveLength(3 * 4 + 4 * 2)

  // A connector is no record of the file: it goes with its app.
  await run([{ kind: 'app', externalId: 'b2', displayName: 'b2' }], false)
  const withConnector = await idOf('apps', 'app_id', 'b2')
  const named = { displayName: 'LDAP', userIds: [u1] }
  const made = done(await scene.post(`/api/v1/apps/${withConnector}/connectors`, named)) as never as {
    connectorView: { connector: { id: string } }
  }
  await run(all, true)
  expect(await ended(made.connectorView.connector.id)).toMatchObject([{ why: 'object_gone' }])
  for (const path of paths)
    expect(await scene.named(path), path).toEqual([e2, c2, u2].some((id) => path.endsWith(id)) ? [] : left)
})
