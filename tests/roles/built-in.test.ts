import { expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { builtInRoles, findRole, listRolesOfUser, seedBuiltInRoles } from '#rooms/identity/roles/index.ts'
import { ask, getToken, openAccess, outcomeOf } from '../fixture/access.ts'
import { later } from '../fixture/later.ts'
import { startServer } from '../fixture/server.ts'

test('a tenant from before a built-in role gets it when a server starts, genuine, and keeps the others', async () => {
  const server = await startServer()
  later(() => server.stop())
  const access = await openAccess(server)
  later(() => access.close())
  const { world, tenant } = access
  const before = await access.roleId('system:user')
  await transact(world.db, async (tx) => {
    await tx`delete from roles where tenant_id = ${tenant.id} and name in ('system:helpdesk', 'system:request-admin')`
  })
  // As the start does; twice at once, as two servers do.
  await Promise.all([seedBuiltInRoles(world), seedBuiltInRoles(world)])
  for (const name of Object.keys(builtInRoles)) expect(await findRole(world.db, tenant.id, name), name).not.toBeNull()
  expect(await access.roleId('system:user')).toBe(before)
  const key = await access.makeCaller(['system:user', 'system:helpdesk'])
  const names = (await listRolesOfUser(world, tenant.id, key.userId)).map(({ name }) => name)
  expect(names.toSorted()).toEqual(['system:helpdesk', 'system:user'])
  const token = await getToken(server, key)
  expect(outcomeOf(await ask(server, '/api/v1/users', { token }))).toBe('403/7 PERMISSION_DENIED')
})

test('a Basic User requests, decides what is assigned to them, and reads nobody else; requests are administered by a role', () => {
  const { 'system:user': basic, 'system:helpdesk': helpdesk, 'system:request-admin': administrator } = builtInRoles
  const own = basic.permissions.filter((each) => !each.includes('.own'))
  expect(own).toEqual(['roles.read'])
  expect(helpdesk.permissions).toEqual([
    'tasks.own.read',
    'tasks.own',
    'tasks.others',
    'terms.own.read',
    'profiles.own.read',
    'users.names.read',
  ])
  expect(administrator.permissions).toEqual(
    expect.arrayContaining(['tasks.manage', 'tasks.read', 'policies.write', 'forms.write']),
  )
  expect(
    administrator.permissions.filter((each) => /^(users|roles|grants|owners|credentials)\..*write$/.test(each)),
  ).toEqual([])
})
