import { Button } from '@mantine/core'
import { IconLink, IconLogin2 } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { identityList, identityStartLink, identityUnlink, signInWays } from '#client/api/operations.ts'
import type { Identity } from '#client/api/types.ts'
import { call } from '../../client/call.ts'
import { read, useChange } from '../../client/queries.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Moment } from '../../parts/moment.tsx'
import { SettingsPage } from './settings-page.tsx'

/** The caller's account at the organization's identity provider. */
export function SingleSignOn(): ReactNode {
  const [toUnlink, setToUnlink] = useState<Identity | null>(null)
  const ways = useQuery(read(signInWays, {}))
  const link = useMutation({
    mutationFn: () => call(identityStartLink, { body: { returnTo: '/settings/single-sign-on' } }),
    onSuccess: ({ url }) => location.assign(url),
  })
  const unlink = useChange(identityUnlink, {
    changes: [identityList],
    done: 'Unlinked the identity',
    onDone: () => setToUnlink(null),
  })
  const start = (
    <Button
      leftSection={<IconLink size={16} aria-hidden />}
      onClick={() => link.mutate()}
      loading={link.isPending || link.isSuccess}
      disabled={!ways.data?.oidc}
    >
      Link identity
    </Button>
  )
  return (
    <SettingsPage
      about="Your identity at the provider of your organization. You are identified by it, not by your email address."
      actions={start}
    >
      <ErrorNote error={link.error} />
      <DataList
        caption="Your identities"
        operation={identityList}
        input={({ pageSize, pageToken }) => ({ query: { page_size: pageSize, page_token: pageToken } })}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        columns={[
          { header: 'Provider', cell: ({ issuer }) => <strong>{issuer}</strong> },
          { header: 'Subject', width: '28%', cell: ({ subject }) => <code>{subject}</code> },
          { header: 'Linked', width: '20%', cell: ({ linkedAt }) => <Moment at={linkedAt} /> },
          {
            header: 'Actions',
            isHidden: true,
            width: '6rem',
            cell: (identity) => (
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={`Unlink from ${identity.issuer}`}
                onClick={() => setToUnlink(identity)}
              >
                Unlink
              </Button>
            ),
          },
        ]}
        empty={{
          icon: IconLogin2,
          title: 'No linked identities',
          children: ways.data?.oidc
            ? 'Link your identity to sign in with your provider.'
            : 'No provider is configured.',
        }}
      />
      <Confirm
        opened={toUnlink !== null}
        onClose={() => {
          unlink.reset()
          setToUnlink(null)
        }}
        title="Unlink this identity?"
        verb="Unlink"
        isPending={unlink.isPending}
        error={unlink.error}
        onConfirm={() => toUnlink && unlink.mutate({ path: { id: toUnlink.id } })}
      >
        You can no longer sign in as {toUnlink?.subject} at {toUnlink?.issuer} until it is linked again.
      </Confirm>
    </SettingsPage>
  )
}
