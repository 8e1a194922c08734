import { transact } from '#kernel/sql.ts'
import { change, operatorCause, record } from '#rooms/foundation/systemlog/index.ts'
import { listTenants, rotateSigningKey } from '#rooms/foundation/tenants/index.ts'
import type { Run } from './command.ts'
import { chooseTenant, operate } from './operate.ts'
import { print, printJson, printTable } from './print.ts'

export const tenantList: Run = ({ flags }) =>
  operate(flags, async (world) => {
    const tenants = await listTenants(world.db)
    if (flags['json']) printJson(tenants.map(({ domain, createdAt }) => ({ domain, createdAt })))
    else
      printTable(
        ['DOMAIN', 'CREATED'],
        tenants.map((t) => [t.domain, t.createdAt.toISOString()]),
      )
    return 0
  })

export const tenantRotateKeys: Run = ({ flags }) =>
  operate(flags, async (world) => {
    const tenant = await chooseTenant(world, flags)
    const cause = operatorCause(tenant, 'tenant rotate-keys')
    const keyId = await transact(world.db, async (tx) => {
      const made = await rotateSigningKey(tx, world, tenant.id)
      const touched = { type: 'signing key', id: made }
      await record(tx, world, cause, change(cause, 'create', 'Rotated the signing keys', [touched]))
      return made
    })
    print(`Tokens of ${tenant.domain} are signed with the key ${keyId} from now on.`)
    return 0
  })
