import type { ProvisionPolicy } from '#rooms/records/apps/index.ts'
import type { ProvisionResult } from '../machine/advance.ts'
import { delegated } from './delegated.ts'
import { carriersOf, manual } from './manual.ts'
import type { Provisioner, Provisioning } from './provisioner.ts'
import { records } from './records.ts'

/** In this order; connectors and webhooks come before the records. */
const provisioners: readonly Provisioner[] = [delegated, manual, records]

/**
 * Carries out what a task decided, by the first provisioner that takes its policy. Where that fails, the owners of the app are
 * asked to do it by hand: what was approved stays approved.
 */
export async function beginProvisioning(what: Provisioning, policy: ProvisionPolicy | null): Promise<ProvisionResult> {
  const provisioner = provisioners.find((each) => each.takes(policy))
  const result: ProvisionResult = provisioner
    ? await provisioner.begin(what, policy)
    : { is: 'failed', error: 'No provisioner can carry this out. Choose another one for the entitlement.' }
  return result.is === 'failed' ? { ...result, instead: await carriersOf(what, null) } : result
}
