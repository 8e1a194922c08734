import { Badge, Button } from '@mantine/core'
import { IconPackage, IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { requestCatalogManagementList } from '#client/api/operations.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { useOpenedBy } from '../../parts/opened-by.ts'
import { Page } from '../../parts/page.tsx'
import { ProfileForm } from './profile-form.tsx'

/** Every access profile. */
export function Profiles(): ReactNode {
  const { may } = useSession()
  const navigate = useNavigate()
  const [isCreating, setCreating] = useState(false)
  useOpenedBy('create', () => setCreating(may('profiles.write')))
  const create = may('profiles.write') && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      Create access profile
    </Button>
  )
  return (
    <Page
      about="What people can request. People can request the entitlements of published profiles that are visible to them."
      actions={create}
    >
      <DataList
        caption="Access profiles"
        operation={requestCatalogManagementList}
        input={({ pageSize, pageToken }) => ({ query: { page_size: pageSize, page_token: pageToken } })}
        rows={({ list }) => list.flatMap((view) => (view.requestCatalog ? [{ ...view, of: view.requestCatalog }] : []))}
        keyOf={({ of }) => of.id}
        columns={[
          {
            header: 'Access profile',
            cell: ({ of }) => <Named label={of.displayName} to={`/profiles/${of.id}`} about={of.description} />,
          },
          {
            header: 'Published',
            width: '9rem',
            cell: ({ of }) => (of.published ? <Badge color="teal">Published</Badge> : <Badge>Draft</Badge>),
          },
          {
            header: 'Visible to',
            width: '11rem',
            cell: ({ of }) => (of.visibleToEveryone ? 'Everyone' : 'Selected people'),
          },
          {
            header: 'Members',
            width: '7rem',
            isNumber: true,
            cell: ({ memberCount }) => Number(memberCount).toLocaleString(),
          },
          { header: 'Created', width: '9rem', cell: ({ of }) => <Moment at={of.createdAt} show="day" /> },
        ]}
        empty={{
          icon: IconPackage,
          title: 'No access profiles yet',
          children: 'Create one, add entitlements and publish it. People can then request them.',
          action: create,
        }}
      />
      {isCreating && (
        <ProfileForm
          onClose={() => setCreating(false)}
          onCreated={(id) => void navigate({ href: `/profiles/${id}` })}
        />
      )}
    </Page>
  )
}
