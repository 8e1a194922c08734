import { transact } from '#kernel/sql.ts'
import { insertBuiltInPolicies } from '#rooms/governance/policies/index.ts'
import { type FoundingRefusal, foundTenant } from '#rooms/identity/users/index.ts'
import { UsageError } from '#server/settings/config.ts'
import type { Run } from './command.ts'
import { operate } from './operate.ts'
import { print } from './print.ts'

const whyNot: Record<FoundingRefusal, string> = {
  DOMAIN_INVALID: 'DOMAIN is not a domain name, such as acme.example.com or localhost:8080',
  EMAIL_INVALID: '--owner is not an email address',
  HOST_TAKEN: 'there is already a tenant for that host',
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
      print(`Created the tenant ${tenant.domain}; ${founding.ownerEmail} is its Super Administrator.`)
      return 0
    },
    { mayCreate: true },
  )
