import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import { addHost, addressView, endHost, findUses, listAddresses, useHost } from '#rooms/overview/address/index.ts'
import { type FlagValues, UsageError } from '#server/settings/config.ts'
import type { Run } from './command.ts'
import { asUsage, chooseTenant, operate } from './operate.ts'
import { print, printJson, printTable } from './print.ts'

const within = (flags: FlagValues, work: (world: World, tenant: Tenant) => Promise<void>): Promise<number> =>
  operate(flags, async (world) => {
    await asUsage(work(world, await chooseTenant(world, flags)))
    return 0
  })

export const tenantAddressList: Run = ({ flags }) =>
  within(flags, async (world, tenant) => {
    const { currentHost, rows } = await listAddresses(world.db, tenant.id)
    const addresses = rows.map((row) => addressView(row, currentHost))
    if (flags['json']) return printJson(addresses)
    printTable(
      ['ADDRESS', 'STATE', 'CREATED', 'ENDS'],
      addresses.map(({ address, state, createdAt, endsAt }) => [
        address,
        state.toLowerCase(),
        createdAt.toISOString(),
        endsAt?.toISOString() ?? '',
      ]),
    )
  })

export const tenantAddressAdd: Run = ({ positionals, flags }) =>
  within(flags, async (world, tenant) => {
    const cause = operatorCause(tenant, 'tenant address add')
    const row = await transact(world.db, (tx) => addHost(tx, world, cause, positionals[0] as string))
    const { address, shortcoming } = addressView(row, '')
    print(
      `${tenant.domain} is served at ${address} too, until ${row.endsAt?.toISOString()} if it is not used until then.`,
    )
    if (shortcoming) print(shortcoming)
    print('\nWhat changes when it is used:')
    for (const { count, kind, effect, action } of await findUses(world, world.db, tenant.id, tenant.domain, address))
      print(
        `- ${count > 0 ? `${count} ${kind.toLowerCase().replaceAll('_', ' ')}: ` : ''}${effect} ${action}`.trimEnd(),
      )
  })

export const tenantAddressUse: Run = ({ positionals, flags }) =>
  within(flags, async (world, tenant) => {
    const cause = operatorCause(tenant, 'tenant address use')
    const row = await transact(world.db, (tx) => useHost(tx, world, cause, positionals[0] as string, null))
    print(`The address is ${row.origin} now. ${tenant.domain} still works, and sends browsers there.`)
  })

export const tenantAddressEnd: Run = ({ positionals, flags }) =>
  within(flags, async (world, tenant) => {
    const cause = operatorCause(tenant, 'tenant address end')
    const host = positionals[0] as string
    const given = flags['at'] as string | undefined
    const at = given === undefined ? null : new Date(given)
    if (at && Number.isNaN(at.getTime())) throw new UsageError('--at is not a time, such as 2027-01-31T18:00:00Z')
    const wanted = { at, opened: null, isForced: flags['anyway'] === true }
    const row = await transact(world.db, (tx) => endHost(tx, world, cause, host, wanted))
    if (!row) print(`${host} is removed.`)
    else if (at) print(`${host} ends at ${at.toISOString()}.`)
    else print(`${host} no longer works. No other tenant can take it for 90 days.`)
  })
