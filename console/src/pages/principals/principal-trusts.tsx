import { Anchor, Badge, Button, Group, Text } from '@mantine/core'
import { IconPlus, IconWorldShare } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { workloadFederationListTrusts } from '#client/api/operations.ts'
import type { ServicePrincipal } from '#client/api/types.ts'
import { CopyIcon } from '../../parts/copy.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { Panel } from '../../parts/panel.tsx'
import { trustAddress, useProviders } from './federation-reads.ts'
import { TrustForm } from './trust-form.tsx'

/** Which tokens of other issuers speak for a service principal: programs that need no secret. */
export function PrincipalTrusts({ principal }: { principal: ServicePrincipal }): ReactNode {
  const [isCreating, setCreating] = useState(false)
  const providers = useProviders() ?? []
  const nameOf = (id: string): string => providers.find((each) => each.id === id)?.displayName ?? id
  const mayChange = principal.objectPermissions?.edit ?? false
  const create = mayChange && (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      disabled={principal.user?.status !== 'ENABLED'}
      onClick={() => setCreating(true)}
    >
      Create trust
    </Button>
  )
  return (
    <Panel
      title="Federation trusts"
      about={
        <>
          Programs that have a token of a trusted issuer, such as a CI job, need no secret.{' '}
          <Anchor component={Link} to="/federation-providers" size="sm" underline="always">
            Federation providers
          </Anchor>
        </>
      }
      actions={create}
    >
      <DataList
        caption="Federation trusts"
        operation={workloadFederationListTrusts}
        input={({ pageSize, pageToken }) => ({
          path: { service_principal_id: principal.id },
          query: { page_size: pageSize, page_token: pageToken },
        })}
        rows={({ list }) => list}
        keyOf={({ clientId }) => clientId}
        columns={[
          {
            header: 'Name',
            cell: ({ clientId, displayName }) => (
              <Anchor component={Link} to={trustAddress(principal.id, clientId)} size="sm">
                {displayName}
              </Anchor>
            ),
          },
          { header: 'Provider', width: '9rem', cell: ({ providerId }) => nameOf(providerId) },
          {
            header: 'Client id',
            cell: ({ clientId, displayName }) => (
              <Group gap={4} wrap="nowrap">
                <Text size="sm" ff="monospace" truncate>
                  {clientId}
                </Text>
                <CopyIcon value={clientId} label={`Copy the client id of ${displayName}`} />
              </Group>
            ),
          },
          {
            header: 'Status',
            width: '7rem',
            cell: ({ disabled }) => (
              <Badge variant="light" color={disabled ? 'gray' : 'teal'}>
                {disabled ? 'Disabled' : 'Enabled'}
              </Badge>
            ),
          },
        ]}
        empty={{
          icon: IconWorldShare,
          title: 'No federation trusts',
          children: 'Create one to let a CI job or another workload call the API without a secret.',
        }}
      />
      {isCreating && <TrustForm principalId={principal.id} trust={null} onClose={() => setCreating(false)} />}
    </Panel>
  )
}
