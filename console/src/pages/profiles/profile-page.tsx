import { Badge } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import {
  requestCatalogManagementDelete,
  requestCatalogManagementGet,
  requestCatalogManagementList,
  requestCatalogSearchEntitlements,
} from '#client/api/operations.ts'
import type { RequestCatalog } from '#client/api/types.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Page } from '../../parts/page.tsx'
import { RowActions } from '../../parts/row-actions.tsx'
import { Summary } from '../../parts/summary.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { ProfileForm } from './profile-form.tsx'
import { enrollments, unenrollments } from './words.ts'

/** The access profile of the address. */
export function useProfile() {
  const { profileId = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(read(requestCatalogManagementGet, { path: { id: profileId } }))
  return {
    profileId,
    profile: data?.requestCatalogView?.requestCatalog ?? undefined,
    memberCount: Number(data?.requestCatalogView?.memberCount ?? 0),
    error,
    retry: () => void refetch(),
  }
}

/** The frame of an access profile's pages. */
export function ProfilePage({ actions, children }: { actions?: ReactNode; children: ReactNode }): ReactNode {
  const { profileId, profile, memberCount, error, retry } = useProfile()
  const { may } = useSession()
  const above = [{ label: 'Access profiles', to: '/profiles' }]
  if (error)
    return (
      <Page title="Access profile" above={above}>
        <ErrorNote error={error} title="This access profile cannot be shown" retry={retry} />
      </Page>
    )
  const base = `/profiles/${profileId}`
  return (
    <Page
      title={profile?.displayName ?? null}
      above={above}
      about={profile?.description}
      actions={
        <>
          {profile && may('profiles.write') && <ProfileActions profile={profile} />}
          {actions}
        </>
      }
    >
      <Summary
        facts={
          profile
            ? [
                [
                  'State',
                  <Badge key="state" {...(profile.published && { color: 'teal' })}>
                    {profile.published ? 'Published' : 'Draft'}
                  </Badge>,
                ],
                ['Visible to', profile.visibleToEveryone ? 'Everyone' : 'Selected people'],
                ['Members', memberCount.toLocaleString()],
                ['Joining', enrollments.find(({ value }) => value === profile.enrollmentBehavior)?.label],
                ['Leaving', unenrollments.find(({ value }) => value === profile.unenrollmentBehavior)?.label],
              ]
            : []
        }
      />
      <Tabs
        label="The access profile"
        tabs={[
          { label: 'Entitlements', to: base, isExact: true },
          { label: 'Visibility', to: `${base}/visibility` },
          { label: 'Automation', to: `${base}/automation` },
        ]}
      />
      {children}
    </Page>
  )
}

function ProfileActions({ profile }: { profile: RequestCatalog }): ReactNode {
  const navigate = useNavigate()
  const [doing, setDoing] = useState<'edit' | 'delete' | null>(null)
  const { id, displayName } = profile
  const remove = useChange(requestCatalogManagementDelete, {
    changes: [requestCatalogManagementList, requestCatalogSearchEntitlements],
    done: `Deleted ${displayName}`,
    onDone: () => void navigate({ href: '/profiles' }),
  })
  return (
    <>
      <RowActions
        size={36}
        actions={[
          { label: 'Edit', name: `Edit ${displayName}`, icon: IconPencil, onClick: () => setDoing('edit') },
          { label: 'Delete', name: `Delete ${displayName}`, icon: IconTrash, onClick: () => setDoing('delete') },
        ]}
      />
      {doing === 'edit' && <ProfileForm profile={profile} onClose={() => setDoing(null)} />}
      {doing === 'delete' && (
        <Confirm
          opened
          onClose={() => setDoing(null)}
          title={`Delete ${displayName}?`}
          verb="Delete access profile"
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ path: { id } })}
        >
          Entitlements that only this profile contains can no longer be requested. Its members are removed according to
          its settings.
        </Confirm>
      )}
    </>
  )
}
