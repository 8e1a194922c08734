import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { dropRule, listRules } from '#rooms/governance/four-eyes/index.ts'
import { UsageError } from '#server/settings/config.ts'
import type { Run } from './command.ts'
import { asUsage, chooseTenant, operate } from './operate.ts'
import { print, printTable } from './print.ts'

export const fourEyesList: Run = ({ flags }) =>
  operate(flags, async (world) => {
    const tenant = await chooseTenant(world, flags)
    const rules = await listRules(world.db, tenant.id)
    printTable(
      ['KIND', 'POLICY', 'SINCE'],
      rules.map(({ kind, policyId, changedAt }) => [kind, policyId, changedAt.toISOString()]),
    )
    return 0
  })

export const fourEyesOff: Run = ({ positionals, flags }) =>
  operate(flags, async (world) => {
    const tenant = await chooseTenant(world, flags)
    const kind = positionals[0] as string
    const rule = (await listRules(world.db, tenant.id)).find((each) => each.kind === kind)
    if (!rule) throw new UsageError(`no change of the kind ${kind} needs approval`)
    const cause = operatorCause(tenant, 'four-eyes off')
    await asUsage(transact(world.db, (tx) => dropRule(tx, world, cause, rule)))
    print(`Changes of the kind ${kind} no longer need approval.`)
    return 0
  })
