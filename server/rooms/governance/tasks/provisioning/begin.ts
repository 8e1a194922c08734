import type { ProvisionPolicy } from '#rooms/records/apps/index.ts'
import type { ProvisionResult } from '../machine/advance.ts'
import { delegated } from './delegated.ts'
import { manual } from './manual.ts'
import type { Provisioner, Provisioning } from './provisioner.ts'
import { records } from './records.ts'

/** In this order; connectors and webhooks come before the records. */
const provisioners: readonly Provisioner[] = [delegated, manual, records]

/** Carries out what a task decided, by the first provisioner that takes its policy. None: it fails, and says so. */
export async function beginProvisioning(what: Provisioning, policy: ProvisionPolicy | null): Promise<ProvisionResult> {
  const provisioner = provisioners.find((each) => each.takes(policy))
  if (!provisioner) return { is: 'failed', error: 'Nothing here can carry this out: choose another provisioner.' }
  return provisioner.begin(what, policy)
}
