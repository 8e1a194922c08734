import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import { findRoles } from '#rooms/identity/roles/index.ts'
import { findUserByEmail, listUsers, setRoles, setStatus, type User } from '#rooms/identity/users/index.ts'
import { UsageError } from '#server/settings/config.ts'
import type { Run } from './command.ts'
import { asUsage, chooseTenant, operate } from './operate.ts'
import { print, printJson, printTable } from './print.ts'
import { getRoles } from './roles.ts'
import { listMax } from './values.ts'

async function getPersonId(world: World, tenant: Tenant, email: string): Promise<string> {
  const person = await findUserByEmail(world.db, tenant.id, email)
  if (!person) throw new UsageError(`no user has the email address ${email}`)
  return person.id
}

const statusWords: Readonly<Record<User['status'], string>> = {
  UNKNOWN: 'Unknown',
  ENABLED: 'Enabled',
  DISABLED: 'Disabled',
  DELETED: 'Deleted',
}
const typeWords: Readonly<Record<User['type'], string>> = {
  USER_TYPE_UNSPECIFIED: 'Unknown',
  USER_TYPE_SYSTEM: 'System',
  USER_TYPE_HUMAN: 'Person',
  USER_TYPE_SERVICE: 'Service',
  USER_TYPE_AGENT: 'Agent',
}

export const userList: Run = ({ flags }) =>
  operate(flags, async (world) => {
    const tenant = await chooseTenant(world, flags)
    const users = await listUsers(world.db, tenant.id, world.now(), { after: null, limit: listMax })
    const roles = await findRoles(world.db, tenant.id, [...new Set(users.flatMap(({ roleIds }) => roleIds))])
    const roleOf = new Map(roles.map((role) => [role.id, role]))
    if (flags['json'])
      printJson(
        users.map(({ email, displayName, status, type, roleIds }) => ({
          email,
          displayName,
          status,
          type,
          roles: roleIds.map((id) => roleOf.get(id)?.name ?? id),
        })),
      )
    else
      printTable(
        ['EMAIL', 'NAME', 'STATUS', 'TYPE', 'ROLES'],
        users.map(({ email, displayName, status, type, roleIds }) => [
          email,
          displayName,
          statusWords[status],
          typeWords[type],
          roleIds.map((id) => roleOf.get(id)?.displayName ?? id).join(', '),
        ]),
      )
    return 0
  })

export const userSetRoles: Run = ({ positionals, flags }) =>
  operate(flags, async (world) => {
    const tenant = await chooseTenant(world, flags)
    const email = positionals[0] as string
    const userId = await getPersonId(world, tenant, email)
    const names = flags['role'] as unknown as string[]
    const roles = await getRoles(world.db, tenant.id, names)
    const roleIds = [...new Set(roles.map(({ id }) => id))]
    const cause = operatorCause(tenant, 'user set-roles')
    await asUsage(transact(world.db, (tx) => setRoles(tx, world, cause, userId, roleIds)))
    print(`${email} has the roles ${roles.map(({ displayName }) => displayName).join(', ')}.`)
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
