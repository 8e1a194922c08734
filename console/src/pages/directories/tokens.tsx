import { Button } from '@mantine/core'
import { IconRefresh, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { scimTokensCreate, scimTokensList, scimTokensRevoke } from '#client/api/operations.ts'
import type { ScimDirectory, ScimToken, ScimTokensCreateResponse } from '#client/api/types.ts'
import { useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { ConfirmChange } from '../../parts/confirm-change.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/panel.tsx'
import { actionsColumn } from '../../parts/row-actions.tsx'
import type { Column } from '../../parts/table.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { lifespans } from './add-directory.tsx'
import { NewToken } from './new-token.tsx'

const overlaps = [
  { value: '3600s', label: '1 hour' },
  { value: '86400s', label: '1 day' },
  { value: '604800s', label: '7 days' },
]

/** What the identity provider authenticates with. */
export function Tokens({ directory }: { directory: ScimDirectory }): ReactNode {
  const { may } = useSession()
  const [isRotating, setRotating] = useState(false)
  const [made, setMade] = useState<ScimTokensCreateResponse | null>(null)
  const [toRevoke, setToRevoke] = useState<ScimToken | null>(null)
  const { appId, baseUrl } = directory
  return (
    <Panel
      title="Tokens"
      about="A token works only for this directory."
      actions={
        may('directories.write') && (
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden />}
            onClick={() => setRotating(true)}
          >
            Rotate token
          </Button>
        )
      }
    >
      <DataList
        caption="Tokens of the directory"
        operation={scimTokensList}
        input={({ pageSize, pageToken }) => ({
          path: { app_id: appId },
          query: { page_size: pageSize, page_token: pageToken },
        })}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        columns={columnsFor(may('directories.write') ? setToRevoke : null)}
        empty={{
          icon: IconRefresh,
          title: 'No tokens',
          children: 'The identity provider cannot send anything until it has one.',
        }}
      />
      {isRotating && <RotateToken appId={appId} onClose={() => setRotating(false)} onMade={setMade} />}
      {made && (
        <NewToken
          title="New token"
          baseUrl={baseUrl}
          token={made.token}
          onClose={() => {
            setMade(null)
            setRotating(false)
          }}
        />
      )}
      <RevokeToken token={toRevoke} onClose={() => setToRevoke(null)} />
    </Panel>
  )
}

type RotateTokenProps = { appId: string; onClose: () => void; onMade: (made: ScimTokensCreateResponse) => void }

function RotateToken({ appId, onClose, onMade }: RotateTokenProps): ReactNode {
  const [expires, setExpires] = useState('31536000s')
  const [overlap, setOverlap] = useState('86400s')
  const create = useChange(scimTokensCreate, {
    changes: [scimTokensList],
    onDone: (made) => {
      onClose()
      onMade(made)
    },
  })
  return (
    <FormModal
      opened
      onClose={onClose}
      title="Rotate the token"
      verb="Create token"
      isPending={create.isPending}
      error={create.error}
      fields={['expires', 'overlap']}
      onSubmit={() => create.mutate({ path: { app_id: appId }, body: { expires: expires || null, overlap } })}
    >
      <ChoiceField
        label="Existing tokens stay valid for"
        fullWidth
        data={overlaps}
        value={overlap}
        onChange={setOverlap}
      />
      <ChoiceField label="New token expires after" fullWidth data={lifespans} value={expires} onChange={setExpires} />
    </FormModal>
  )
}

function RevokeToken({ token, onClose }: { token: ScimToken | null; onClose: () => void }): ReactNode {
  // The words stay while the dialog closes.
  const last = useRef(token)
  if (token) last.current = token
  const revoke = useChange(scimTokensRevoke, { changes: [scimTokensList], done: 'Revoked the token', onDone: onClose })
  return (
    <ConfirmChange
      opened={token !== null}
      onClose={onClose}
      title="Revoke this token?"
      verb="Revoke"
      change={revoke}
      input={token && { path: { app_id: token.appId, token_id: token.id } }}
    >
      Requests with the token that ends in <code>{last.current?.id.slice(-8)}</code> are refused from now on.
    </ConfirmChange>
  )
}

const columnsFor = (onRevoke: ((token: ScimToken) => void) | null): readonly Column<ScimToken>[] => [
  { header: 'Token', cell: ({ id }) => <code>{id.slice(-8)}</code> },
  {
    header: 'Created',
    cell: ({ createdAt, createdByUserId }) => (
      <>
        <Moment at={createdAt} /> {createdByUserId && <UserName userId={createdByUserId} />}
      </>
    ),
  },
  { header: 'Expires', width: '12rem', cell: ({ expiresAt }) => <Moment at={expiresAt} none="Never" /> },
  { header: 'Last used', width: '12rem', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} none="Never" /> },
  ...(onRevoke
    ? [
        actionsColumn<ScimToken>('3.5rem', (token) => [
          {
            label: 'Revoke',
            name: `Revoke ${token.id.slice(-8)}`,
            icon: IconTrash,
            onClick: () => onRevoke(token),
          },
        ]),
      ]
    : []),
]
