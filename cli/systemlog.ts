import { verifyLog } from '#rooms/systemlog/index.ts'
import { listTenants } from '#rooms/tenants/index.ts'
import { dataSettings } from '#server/config.ts'
import type { Command } from './command.ts'
import { chooseTenant, operate, print, printJson, tenantFlag } from './operate.ts'

export const systemlogVerify: Command = {
  name: 'systemlog verify',
  positionals: [],
  summary: 'Check that no event of the system log was altered, removed or inserted. Exits 1 when one was.',
  settings: dataSettings,
  flags: [
    { ...tenantFlag, help: 'Only this tenant. [default: all]' },
    {
      name: 'head',
      value: 'HEAD',
      help: 'The head that an earlier verify printed (needs --tenant): proves that it is still in the chain.',
    },
    { name: 'json', value: null, help: 'Print JSON.' },
  ],
  run: ({ flags }) =>
    operate(flags, async (world) => {
      const isOne = flags['tenant'] !== undefined || flags['head'] !== undefined
      const tenants = isOne ? [await chooseTenant(world, flags)] : await listTenants(world.db)
      const reports = []
      for (const { id, domain } of tenants)
        reports.push({ domain, ...(await verifyLog(world, id, (flags['head'] as string | undefined) ?? null)) })
      if (flags['json']) printJson(reports)
      else
        for (const { domain, events, seals, unsealed, head, findings } of reports) {
          const word = findings.length === 0 ? 'intact' : `${findings.length} findings`
          print(`${domain}: ${word}; ${events} events in ${seals} links, ${unsealed} not yet sealed; head ${head}`)
          for (const { what, eventId, sealNumber } of findings)
            print(`  ${[eventId, sealNumber && `link ${sealNumber}`].filter(Boolean).join(', ')}: ${what}`)
        }
      return reports.every((report) => report.findings.length === 0) ? 0 : 1
    }),
}
