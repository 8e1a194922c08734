import type { ReactNode } from 'react'
import { appEntitlementSearch } from '#client/api/operations.ts'
import type { AppEntitlement } from '#client/api/types.ts'
import { neighbourAt } from '../client/neighbours.ts'
import { Picker, type PickerOptions } from './picker.tsx'

export type PickedEntitlement = { entitlement: AppEntitlement; appName: string }

type EntitlementPickerProps = PickerOptions & {
  /** Only those of this app. */
  appId?: string
  /** Entitlements that cannot be picked. */
  without?: readonly { appId: string; id: string }[]
  /** Called with the entitlement that was picked; the field is then empty again, for the next one. */
  onPick: (picked: PickedEntitlement) => void
}

/** Finds an entitlement with the search of the API, and shows its app with it. */
export const EntitlementPicker = ({ appId, without = [], ...props }: EntitlementPickerProps): ReactNode => (
  <Picker
    {...props}
    placeholder="Type the name of an entitlement"
    operation={appEntitlementSearch}
    input={(query) => ({
      body: {
        query,
        appIds: appId ? [appId] : [],
        excludedEntitlementRefs: without.slice(0, excludedMax).map(({ appId: ofApp, id }) => ({ appId: ofApp, id })),
        expandMask: { paths: ['appId'] },
        pageSize: 25,
      },
    })}
    items={(reply) =>
      reply.list.flatMap(({ appEntitlement: entitlement, appPath }): PickedEntitlement[] =>
        entitlement ? [{ entitlement, appName: neighbourAt(reply, appPath, 'App')?.displayName ?? '' }] : [],
      )
    }
    keyOf={({ entitlement }) => `${entitlement.appId} ${entitlement.id}`}
    nameOf={({ entitlement, appName }) =>
      appName ? `${entitlement.displayName} (${appName})` : entitlement.displayName
    }
  />
)

// The API's limit.
const excludedMax = 1000
