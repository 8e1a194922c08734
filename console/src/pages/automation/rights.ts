import { useSession } from '../../client/session.ts'
import { useEntitlement } from '../entitlements/entitlement-page.tsx'

/** Whether the caller may change the rule and the exclusions of the entitlement in the address. */
export function useMayChangeRule(): boolean {
  const { may } = useSession()
  const { permissions } = useEntitlement()
  // Who owns the entitlement may; the API has the last word.
  return may('automations.write') || (!may('automations.read') && (permissions?.edit ?? false))
}
