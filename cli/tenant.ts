import { transact } from '#kernel/sql.ts'
import { change, operatorCause, record } from '#rooms/foundation/systemlog/index.ts'
import { listTenants, rotateSigningKey } from '#rooms/foundation/tenants/index.ts'
import { insertBuiltInPolicies } from '#rooms/governance/policies/index.ts'
import { type FoundingRefusal, foundTenant } from '#rooms/identity/users/index.ts'
import { dataSettings, UsageError } from '#server/config.ts'
import type { Command } from './command.ts'
import { chooseTenant, operate, print, printJson, printTable, tenantFlag } from './operate.ts'

const whyNot: Record<FoundingRefusal, string> = {
  DOMAIN_INVALID: 'DOMAIN is not a domain, as in acme.example.com or localhost:8080',
  EMAIL_INVALID: '--owner is not an email address',
  HOST_TAKEN: 'that host has a tenant already',
}

export const tenantCreate: Command = {
  name: 'tenant create',
  positionals: ['DOMAIN'],
  summary: 'Make a tenant that is served at DOMAIN, with one person who may do everything in it.',
  settings: dataSettings,
  flags: [{ name: 'owner', value: 'EMAIL', help: 'Its Super Administrator.', required: true }],
  run: ({ positionals, flags }) =>
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
    ),
}

export const tenantList: Command = {
  name: 'tenant list',
  positionals: [],
  summary: 'List the tenants.',
  settings: dataSettings,
  flags: [{ name: 'json', value: null, help: 'Print JSON.' }],
  run: ({ flags }) =>
    operate(flags, async (world) => {
      const tenants = await listTenants(world.db)
      if (flags['json']) printJson(tenants.map(({ domain, createdAt }) => ({ domain, createdAt })))
      else
        printTable(
          ['DOMAIN', 'CREATED'],
          tenants.map((t) => [t.domain, t.createdAt.toISOString()]),
        )
      return 0
    }),
}

export const tenantRotateKeys: Command = {
  name: 'tenant rotate-keys',
  positionals: [],
  summary: 'Sign access tokens with a new key. Tokens signed with the old one are valid until they expire.',
  settings: dataSettings,
  flags: [tenantFlag],
  run: ({ flags }) =>
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
    }),
}
