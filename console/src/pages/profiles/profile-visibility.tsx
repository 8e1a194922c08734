import { Alert } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import {
  requestCatalogManagementAddAccessEntitlements,
  requestCatalogManagementListEntitlementsForAccess,
  requestCatalogManagementRemoveAccessEntitlements,
} from '#client/api/operations.ts'
import { useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { AddButton, AddEntitlements, EntitlementsOf } from './entitlements-of.tsx'
import { profileReads } from './profile-form.tsx'
import { ProfilePage, useProfile } from './profile-page.tsx'

const changes = [...profileReads, requestCatalogManagementListEntitlementsForAccess]

/** Who sees an access profile: everyone, or those who hold something. */
export function ProfileVisibility(): ReactNode {
  const { may } = useSession()
  const { profileId, profile } = useProfile()
  const [isAdding, setAdding] = useState(false)
  const add = useChange(requestCatalogManagementAddAccessEntitlements, {
    changes,
    done: 'Added',
    onDone: () => setAdding(false),
  })
  const remove = useChange(requestCatalogManagementRemoveAccessEntitlements, { changes, done: 'Removed' })
  const adds = may('profiles.write') && <AddButton label="Add an audience" onClick={() => setAdding(true)} />
  return (
    <ProfilePage actions={adds}>
      {profile?.visibleToEveryone && (
        <Alert mb="md" icon={<IconEye size={18} aria-hidden />}>
          This profile is visible to everyone. The list below applies when “Visible to everyone” is turned off.
        </Alert>
      )}
      <ErrorNote error={remove.error} />
      <EntitlementsOf
        profileId={profileId}
        caption="Entitlements whose members can see the access profile"
        operation={requestCatalogManagementListEntitlementsForAccess}
        nothing={{
          title: 'No audience',
          children: profile?.visibleToEveryone
            ? 'The profile is visible to everyone.'
            : 'Nobody can see it. Add entitlements to make it visible to their members.',
          action: adds,
        }}
        onRemove={({ appId, id }) =>
          remove.mutate({ path: { catalog_id: profileId }, body: { accessEntitlements: [{ appId, id }] } })
        }
      />
      {isAdding && (
        <AddEntitlements
          title="People with any of these can see the profile"
          onClose={() => setAdding(false)}
          isPending={add.isPending}
          error={add.error}
          onAdd={(accessEntitlements) => add.mutate({ path: { catalog_id: profileId }, body: { accessEntitlements } })}
        />
      )}
    </ProfilePage>
  )
}
