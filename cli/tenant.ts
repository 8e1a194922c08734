import { transact } from '#kernel/sql.ts'
import { change, operatorCause, record } from '#rooms/foundation/systemlog/index.ts'
import { listTenants, rotateSigningKey } from '#rooms/foundation/tenants/index.ts'
import { insertBuiltInPolicies } from '#rooms/governance/policies/index.ts'
import { type FoundingRefusal, foundTenant } from '#rooms/identity/users/index.ts'
import { UsageError } from '#server/config.ts'
import type { Run } from './command.ts'
import { chooseTenant, operate } from './operate.ts'
import { print, printJson, printTable } from './print.ts'

const whyNot: Record<FoundingRefusal, string> = {
  DOMAIN_INVALID: 'DOMAIN is not a domain, as in acme.example.com or localhost:8080',
  EMAIL_INVALID: '--owner is not an email address',
  HOST_TAKEN: 'that host has a tenant already',
}

export const tenantCreate: Run = ({ positionals, flags }) =>
  operate(
    flags,
    async (world) => {
      const founding = { domain: positionals[0] as string, ownerEmail: flags['owner'] as string }
      const tenant = await transact(world.db, async (tx) => {
        const made = await foundTenant(tx, world, founding)
        if (typeof made !== 'string') await insertBuiltInPolicies(tx, world, made.id)
        return made
      })
      if (typeof tenant === 'string') throw new UsageError(whyNot[tenant])
      print(`Made the tenant ${tenant.domain}; ${founding.ownerEmail} is its Super Administrator.`)
      return 0
    },
    { mayCreate: true },
  )

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
