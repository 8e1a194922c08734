import { Badge, Button } from '@mantine/core'
import { IconKey, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import {
  rolesList,
  servicePrincipalCreateCredential,
  servicePrincipalListCredentials,
  servicePrincipalRevokeCredential,
} from '#client/api/operations.ts'
import type {
  Role,
  ServicePrincipal,
  ServicePrincipalCredential,
  ServicePrincipalServiceCreateCredentialResponse,
} from '#client/api/types.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { Panel } from '../../parts/panel.tsx'
import { actionsColumn } from '../../parts/row-actions.tsx'
import { credentialColumns } from '../settings/credential-columns.tsx'
import { CredentialForm } from '../settings/credential-form.tsx'
import { NewCredential } from '../settings/new-credential.tsx'

const lifespans = [
  { value: '2592000s', label: '30 days' },
  { value: '7776000s', label: '90 days' },
  { value: '15552000s', label: '180 days' },
]

/** As the columns of personal credentials want it. */
const asPersonal = (credential: ServicePrincipalCredential) => ({
  ...credential,
  userId: credential.servicePrincipalId,
  allowSourceCidr: credential.allowSourceCidrs,
  scopedRoles: credential.scopedRoleIds,
  expiresTime: credential.expiresAt ?? null,
  lastUsedAt: credential.lastUsedAt ?? null,
  updatedAt: null,
  deletedAt: null,
})

/** The credentials of a service principal, for its owners and for administrators. */
export function PrincipalCredentials({ principal }: { principal: ServicePrincipal }): ReactNode {
  const { may } = useSession()
  const [isCreating, setCreating] = useState(false)
  const [toRevoke, setToRevoke] = useState<Pick<ServicePrincipalCredential, 'id' | 'clientId' | 'displayName'> | null>(
    null,
  )
  const { data } = useQuery({ ...read(rolesList, { query: { page_size: 100 } }), enabled: may('roles.read') })
  const roles = data?.list ?? []
  const columns = credentialColumns(roles)
  const mayChange = principal.objectPermissions?.edit ?? false
  const create = mayChange && (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      disabled={principal.user?.status !== 'ENABLED'}
      onClick={() => setCreating(true)}
    >
      Create credential
    </Button>
  )
  return (
    <Panel title="API credentials" about="Each expires after 180 days at the latest." actions={create}>
      <DataList
        caption="API credentials"
        operation={servicePrincipalListCredentials}
        input={({ pageSize, pageToken }) => ({
          path: { service_principal_id: principal.id },
          query: { page_size: pageSize, page_token: pageToken },
        })}
        rows={({ list }) => list.map(asPersonal)}
        keyOf={({ id }) => id}
        columns={[
          columns.name,
          columns.clientId,
          columns.expires,
          columns.scope,
          {
            header: 'Tokens',
            width: '6rem',
            cell: ({ requireDpop }) => (requireDpop ? <Badge color="teal">DPoP</Badge> : 'Bearer'),
          },
          columns.lastUsed,
          actionsColumn<ReturnType<typeof asPersonal>>('3.5rem', (credential) =>
            mayChange
              ? [
                  {
                    label: 'Revoke',
                    name: `Revoke ${credential.displayName}`,
                    icon: IconTrash,
                    onClick: () => setToRevoke(credential),
                  },
                ]
              : [],
          ),
        ]}
        empty={{
          icon: IconKey,
          title: 'No API credentials',
          children: 'Create one for each program or machine that calls the API as this service principal.',
        }}
      />
      <CreatePrincipalCredential
        opened={isCreating}
        principal={principal}
        roles={roles}
        onClose={() => setCreating(false)}
      />
      <RevokeCredential principalId={principal.id} credential={toRevoke} onClose={() => setToRevoke(null)} />
    </Panel>
  )
}

type CreateProps = { opened: boolean; principal: ServicePrincipal; roles: readonly Role[]; onClose: () => void }

function CreatePrincipalCredential({ opened, principal, roles, onClose }: CreateProps): ReactNode {
  const [made, setMade] = useState<ServicePrincipalServiceCreateCredentialResponse | null>(null)
  const create = useChange(servicePrincipalCreateCredential, {
    changes: [servicePrincipalListCredentials],
    onDone: setMade,
  })
  const close = () => {
    setMade(null)
    create.reset()
    onClose()
  }
  if (made)
    return (
      <NewCredential
        name={made.credential?.displayName ?? ''}
        clientId={made.credential?.clientId ?? ''}
        clientSecret={made.clientSecret}
        callsAs={principal.displayName}
        requiresDpop={made.credential?.requireDpop ?? false}
        onClose={close}
      />
    )
  if (!opened) return null
  return (
    <CredentialForm
      onClose={close}
      roles={roles}
      lifespans={lifespans}
      cidrsField="allowSourceCidrs"
      full="All permissions of the service principal, now and in the future."
      some="Permissions in both these roles and the roles of the service principal."
      hasDpop
      isPending={create.isPending}
      error={create.error}
      onSubmit={({ allowed, ...wanted }) =>
        create.mutate({
          path: { service_principal_id: principal.id },
          body: { ...wanted, allowSourceCidrs: allowed },
        })
      }
    />
  )
}

type RevokeProps = {
  principalId: string
  credential: Pick<ServicePrincipalCredential, 'id' | 'clientId' | 'displayName'> | null
  onClose: () => void
}

function RevokeCredential({ principalId, credential, onClose }: RevokeProps): ReactNode {
  // The words stay while the dialog closes.
  const last = useRef(credential)
  if (credential) last.current = credential
  const revoke = useChange(servicePrincipalRevokeCredential, {
    changes: [servicePrincipalListCredentials],
    done: `Revoked ${last.current?.displayName ?? ''}`,
    onDone: onClose,
  })
  return (
    <Confirm
      opened={credential !== null}
      onClose={() => {
        revoke.reset()
        onClose()
      }}
      title={`Revoke ${last.current?.displayName || 'this credential'}?`}
      verb="Revoke"
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => credential && revoke.mutate({ path: { service_principal_id: principalId, id: credential.id } })}
    >
      Programs that use <code>{last.current?.clientId}</code> lose access immediately. This cannot be undone.
    </Confirm>
  )
}
