import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { appEntitlementSearchReachableResourcesForUser } from '#client/api/operations.ts'
import { useSession } from '../../client/session.ts'
import { AsOfField } from '../../parts/as-of.tsx'
import { EntitlementPicker } from '../../parts/entitlement-picker.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Panel } from '../../parts/panel.tsx'
import { Picker } from '../../parts/picker.tsx'
import { UserPage, useUser } from '../users/user-page.tsx'
import classes from './choose.module.css'
import { PathsPanel, type PathTarget } from './paths-panel.tsx'

/** What the address asks about. */
function useTarget(): PathTarget | null {
  const { filter } = useListState()
  const appId = filter('app')
  if (appId && filter('entitlement')) return { appId, appEntitlementId: filter('entitlement') }
  if (appId && filter('resource'))
    return { appId, appResourceTypeId: filter('type'), appResourceId: filter('resource') }
  return null
}

/** How a person reaches something that is chosen here. */
export function UserPaths(): ReactNode {
  const { userId, user } = useUser()
  const { set } = useListState()
  const { may } = useSession()
  const target = useTarget()
  const name = user?.displayName || user?.email || 'this person'
  return (
    <UserPage>
      <Panel title="Choose a resource">
        <div className={classes.fields}>
          <Picker
            label="Resource"
            placeholder="Type the name of a resource"
            operation={appEntitlementSearchReachableResourcesForUser}
            input={(query) => ({ body: { userId, query, pageSize: 25 } })}
            items={({ list }) => list}
            keyOf={({ appId, resourceTypeId, id }) => `${appId} ${resourceTypeId} ${id}`}
            nameOf={({ displayName, secondaryText }) =>
              secondaryText ? `${displayName} (${secondaryText})` : displayName
            }
            onPick={({ appId, resourceTypeId, id }) =>
              set({ app: appId, type: resourceTypeId, resource: id, entitlement: '' })
            }
          />
          {may('entitlements.read') && (
            <EntitlementPicker
              label="Entitlement"
              onPick={({ entitlement }) =>
                set({ app: entitlement.appId, entitlement: entitlement.id, type: '', resource: '' })
              }
            />
          )}
          <AsOfField />
        </div>
        {!target && (
          <Text size="sm" c="dimmed" mt="sm">
            Shows through which accounts, groups, rules and requests {name} reaches it.
          </Text>
        )}
      </Panel>
      {target && <PathsPanel userId={userId} target={target} />}
    </UserPage>
  )
}
