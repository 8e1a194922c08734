import { Checkbox } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import {
  requestCatalogManagementAddAppEntitlements,
  requestCatalogManagementListEntitlementsPerCatalog,
  requestCatalogManagementRemoveAppEntitlements,
} from '#client/api/operations.ts'
import type { AppEntitlement } from '#client/api/types.ts'
import { useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { AddButton, AddEntitlements, EntitlementsOf } from './entitlements-of.tsx'
import { profileReads } from './profile-form.tsx'
import { ProfilePage, useProfile } from './profile-page.tsx'

const changes = [...profileReads, requestCatalogManagementListEntitlementsPerCatalog]

/** What an access profile contains: what can be requested. */
export function ProfileEntries(): ReactNode {
  const { may } = useSession()
  const { profileId, profile } = useProfile()
  const [isAdding, setAdding] = useState(false)
  const [forMembers, setForMembers] = useState(false)
  const [removing, setRemoving] = useState<AppEntitlement | null>(null)
  const add = useChange(requestCatalogManagementAddAppEntitlements, {
    changes,
    done: 'Added',
    onDone: () => setAdding(false),
  })
  const remove = useChange(requestCatalogManagementRemoveAppEntitlements, {
    changes,
    done: 'Removed',
    onDone: () => setRemoving(null),
  })
  const adds = may('profiles.write') && <AddButton label="Add entitlements" onClick={() => setAdding(true)} />
  return (
    <ProfilePage actions={adds}>
      <EntitlementsOf
        profileId={profileId}
        caption={`Entitlements in ${profile?.displayName ?? 'the access profile'}`}
        operation={requestCatalogManagementListEntitlementsPerCatalog}
        nothing={{
          title: 'No entitlements yet',
          children: 'Add the entitlements that people should be able to request.',
          action: adds,
        }}
        onRemove={setRemoving}
      />
      {isAdding && (
        <AddEntitlements
          title="Add entitlements"
          about={
            <Checkbox
              label="Also grant them to current members"
              description="In the same way as when someone becomes a member. Otherwise, only new members get them."
              checked={forMembers}
              onChange={({ currentTarget: { checked } }) => setForMembers(checked)}
            />
          }
          onClose={() => setAdding(false)}
          isPending={add.isPending}
          error={add.error}
          onAdd={(appEntitlements) =>
            add.mutate({ path: { catalog_id: profileId }, body: { appEntitlements, createRequests: forMembers } })
          }
        />
      )}
      {removing && (
        <Confirm
          opened
          onClose={() => setRemoving(null)}
          title={`Remove ${removing.displayName}?`}
          verb="Remove"
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() =>
            remove.mutate({
              path: { catalog_id: profileId },
              body: { appEntitlements: [{ appId: removing.appId, id: removing.id }] },
            })
          }
        >
          It can no longer be requested, unless another profile contains it. Existing access is kept.
        </Confirm>
      )}
    </ProfilePage>
  )
}
