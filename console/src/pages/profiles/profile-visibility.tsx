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
          Everyone sees this profile. The list below takes effect when “Everyone sees it” is switched off.
        </Alert>
      )}
      <ErrorNote error={remove.error} />
      <EntitlementsOf
        profileId={profileId}
        caption="Whoever holds one of these sees the access profile"
        operation={requestCatalogManagementListEntitlementsForAccess}
        nothing={{
          title: 'No audience is chosen',
          children: profile?.visibleToEveryone
            ? 'Everyone sees it.'
            : 'Nobody sees it. Add entitlements: whoever holds one of them sees the profile.',
          action: adds,
        }}
        onRemove={({ appId, id }) =>
          remove.mutate({ path: { catalog_id: profileId }, body: { accessEntitlements: [{ appId, id }] } })
        }
      />
      {isAdding && (
        <AddEntitlements
          title="Who holds one of these sees the profile"
          onClose={() => setAdding(false)}
          isPending={add.isPending}
          error={add.error}
          onAdd={(accessEntitlements) => add.mutate({ path: { catalog_id: profileId }, body: { accessEntitlements } })}
        />
      )}
    </ProfilePage>
  )
}
