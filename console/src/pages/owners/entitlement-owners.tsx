import type { ReactNode } from 'react'
import { useApp } from '../apps/app-page.tsx'
import { EntitlementPage, useEntitlement } from '../entitlements/entitlement-page.tsx'
import { entitlementOwners } from './kinds.ts'
import { OwnersEditor } from './owners-editor.tsx'

/** Who owns an entitlement. Who owns its app may decide that. */
export function EntitlementOwners(): ReactNode {
  const { appId, entitlementId, entitlement } = useEntitlement()
  const { mayHere } = useApp()
  return (
    <EntitlementPage>
      <OwnersEditor
        owned={{
          of: 'entitlement',
          operations: entitlementOwners,
          path: { app_id: appId, entitlement_id: entitlementId },
        }}
        name={entitlement?.displayName ?? 'this entitlement'}
        mayChange={mayHere('owners.write')}
      />
    </EntitlementPage>
  )
}
