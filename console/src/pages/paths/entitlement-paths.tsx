import type { ReactNode } from 'react'
import { EntitlementPage, useEntitlement } from '../entitlements/entitlement-page.tsx'
import { ChoosePerson } from './choose-person.tsx'

/** How a person reaches an entitlement. */
export function EntitlementPaths(): ReactNode {
  const { appId, entitlementId, entitlement } = useEntitlement()
  return (
    <EntitlementPage>
      <ChoosePerson
        name={entitlement?.displayName ?? 'this entitlement'}
        target={{ appId, appEntitlementId: entitlementId }}
      />
    </EntitlementPage>
  )
}
