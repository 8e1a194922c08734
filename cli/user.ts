import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import { findRole, findRoles } from '#rooms/identity/roles/index.ts'
import { findUserByEmail, listUsers, setRoles, setStatus } from '#rooms/identity/users/index.ts'
import { UsageError } from '#server/settings/config.ts'
import type { Run } from './command.ts'
import { asUsage, chooseTenant, operate } from './operate.ts'
import { print, printJson, printTable } from './print.ts'
import { listMax } from './values.ts'

async function getPersonId(world: World, tenant: Tenant, email: string): Promise<string> {
  const person = await findUserByEmail(world.db, tenant.id, email)
  if (!person) throw new UsageError(`no user has the email address ${email}`)
  return person.id
}

export const userList: Run = ({ flags }) =>
  operate(flags, async (world) => {
    const tenant = await chooseTenant(world, flags)
    const users = await listUsers(world.db, tenant.id, world.now(), { after: null, limit: listMax })
    const roles = await findRoles(world.db, tenant.id, [...new Set(users.flatMap(({ roleIds }) => roleIds))])
    const nameOf = new Map(roles.map(({ id, name }) => [id, name]))
    const told = users.map(({ email, displayName, status, type, roleIds }) => ({
      email,
      displayName,
      status,
      type,
      roles: roleIds.map((id) => nameOf.get(id) ?? id),
    }))
    if (flags['json']) printJson(told)
    else
      printTable(
        ['EMAIL', 'NAME', 'STATUS', 'TYPE', 'ROLES'],
        told.map((user) => [user.email, user.displayName, user.status, user.type, user.roles.join(',')]),
      )
    return 0
  })

export const userSetRoles: Run = ({ positionals, flags }) =>
  operate(flags, async (world) => {
    const tenant = await chooseTenant(world, flags)
    const email = positionals[0] as string
    const userId = await getPersonId(world, tenant, email)
    const names = flags['role'] as unknown as string[]
    const roles = await Promise.all(names.map((name) => findRole(world.db, tenant.id, name)))
    const unknown = names.filter((_, i) => !roles[i])
    if (unknown.length > 0) throw new UsageError(`there is no role ${unknown.join(', ')}`)
    const roleIds = [...new Set(roles.flatMap((role) => (role ? [role.id] : [])))]
    const cause = operatorCause(tenant, 'user set-roles')
    await asUsage(transact(world.db, (tx) => setRoles(tx, world, cause, userId, roleIds)))
    print(`${email} has the roles ${roles.map((role) => role?.name).join(', ')}.`)
    return 0
  })

const setTo =
  (verb: 'enable' | 'disable'): Run =>
  ({ positionals, flags }) =>
    operate(flags, async (world) => {
      const tenant = await chooseTenant(world, flags)
      const email = positionals[0] as string
      const userId = await getPersonId(world, tenant, email)
      const cause = operatorCause(tenant, `user ${verb}`)
      const status = verb === 'enable' ? 'ENABLED' : 'DISABLED'
      await asUsage(transact(world.db, (tx) => setStatus(tx, world, cause, userId, { status })))
      print(`${email} is ${verb}d.`)
      return 0
    })

export const userEnable = setTo('enable')
export const userDisable = setTo('disable')
