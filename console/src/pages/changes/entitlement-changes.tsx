import type { ReactNode } from 'react'
import { changesListOfEntitlement, changesSummarizeOfEntitlement } from '#client/api/operations.ts'
import { EntitlementPage, useEntitlement } from '../entitlements/entitlement-page.tsx'
import { Compare } from './compare.tsx'

/** What changed of an entitlement between two moments. */
export function EntitlementChanges(): ReactNode {
  const { appId, entitlementId, entitlement } = useEntitlement()
  const path = { app_id: appId, app_entitlement_id: entitlementId }
  return (
    <EntitlementPage>
      <Compare
        of={entitlement?.displayName ?? 'the entitlement'}
        summary={(query) => [changesSummarizeOfEntitlement, { path, query }]}
        list={[changesListOfEntitlement, (query) => ({ path, query })]}
      />
    </EntitlementPage>
  )
}
