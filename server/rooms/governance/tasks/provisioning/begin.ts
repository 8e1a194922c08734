import type { ProvisionPolicy } from '#rooms/records/apps/index.ts'
import type { ProvisionResult } from '../machine/advance.ts'
import { connector } from './connector.ts'
import { delegated } from './delegated.ts'
import { carriersOf, manual } from './manual.ts'
import type { Provisioner, Provisioning } from './provisioner.ts'
import { records } from './records.ts'
import { webhook } from './webhook.ts'

/** In this order: where a connector carries access out, the records alone are not the access. */
const provisioners: readonly Provisioner[] = [delegated, manual, webhook, connector, records]

/**
 * Carries out what a task decided, by the first provisioner that takes its policy. Where that fails, the owners of the app are
 * asked to do it by hand: what was approved stays approved.
 */
export async function beginProvisioning(what: Provisioning, policy: ProvisionPolicy | null): Promise<ProvisionResult> {
  let result: ProvisionResult | null = null
  for (const each of provisioners) if (each.takes(policy) && !result) result = await each.begin(what, policy)
  result ??= { is: 'failed', error: 'No provisioner can provision this. Choose another one for the entitlement.' }
  return result.is === 'failed' ? { ...result, instead: await carriersOf(what, null) } : result
}
