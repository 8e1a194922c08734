import { planRetention } from '#rooms/events/exports/index.ts'
import { listTenants } from '#rooms/foundation/tenants/index.ts'
import { readSettings } from '#server/settings/config.ts'
import type { Run } from './command.ts'
import { chooseTenant, operate } from './operate.ts'
import { print, printJson } from './print.ts'

export const systemlogRetentionPlan: Run = ({ flags }) =>
  operate(flags, async (world) => {
    const { datasourcesFile, systemlogRetention } = readSettings(
      ['datasources-file', 'systemlog-retention'],
      flags,
      process.env,
    )
    Object.assign(world.settings, {
      ...(datasourcesFile !== null && { datasourcesFile }),
      ...(systemlogRetention !== null && { systemlogRetentionDays: systemlogRetention }),
    })
    const tenants = flags['tenant'] === undefined ? await listTenants(world.db) : [await chooseTenant(world, flags)]
    const plans = []
    for (const tenant of tenants) plans.push({ domain: tenant.domain, ...(await planRetention(world, tenant)) })
    if (flags['json'])
      printJson(plans.map(({ seam, ...plan }) => ({ ...plan, seam: seam && { ...seam, sealMac: undefined } })))
    else
      for (const { domain, days, seam, older, removable, upTo, reasons } of plans) {
        const done = seam
          ? `${seam.eventCount} events up to link ${seam.sealNumber}, before ${seam.latestAt.toISOString()}, were removed from the database`
          : 'no events were removed from the database'
        print(`${domain}: ${done}`)
        if (days !== null)
          print(
            `  older than ${days} days: ${older} events; to be removed now: ${removable}${removable > 0 ? `, up to link ${upTo}` : ''}`,
          )
        for (const reason of reasons) print(`  ${reason}`)
      }
    return 0
  })
