import { ActionIcon, Badge, Button, Select, Stack, TextInput, Tooltip } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconPlus, IconTrash, IconWorldShare } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import {
  workloadFederationCreateProvider,
  workloadFederationDeleteProvider,
  workloadFederationListProviders,
  workloadFederationUpdateProvider,
} from '#client/api/operations.ts'
import type { WorkloadFederationProvider } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { useOpenedBy } from '../../parts/opened-by.ts'
import { Page } from '../../parts/page.tsx'
import { usualIssuers, wellKnownChoices, wellKnownTitles } from './federation-words.ts'

const above = [{ label: 'Service principals', to: '/principals' }]
type Provider = WorkloadFederationProvider

/** The issuers whose tokens service principals may trust. */
export function Providers(): ReactNode {
  const { may } = useSession()
  const [isCreating, setCreating] = useState(false)
  const [asked, setAsked] = useState<{ provider: Provider; verb: 'Disable' | 'Enable' | 'Delete' } | null>(null)
  const mayChange = may('principals.write')
  useOpenedBy('create', () => setCreating(mayChange))
  const create = mayChange && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      Add provider
    </Button>
  )
  return (
    <Page
      above={above}
      about="Issuers whose tokens programs can exchange for access tokens, such as a CI system. Each service principal defines which of their tokens it trusts."
      actions={create}
    >
      <DataList
        caption="Federation providers"
        operation={workloadFederationListProviders}
        input={({ pageSize, pageToken }) => ({ query: { page_size: pageSize, page_token: pageToken } })}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        columns={[
          { header: 'Name', cell: ({ displayName }) => displayName },
          { header: 'Kind', width: '9rem', cell: ({ wellKnownProvider }) => wellKnownTitles[wellKnownProvider] },
          { header: 'Issuer', cell: ({ issuerUrl }) => <code>{issuerUrl}</code> },
          {
            header: 'Status',
            width: '7rem',
            cell: ({ disabled }) => (
              <Badge variant="light" color={disabled ? 'gray' : 'teal'}>
                {disabled ? 'Disabled' : 'Enabled'}
              </Badge>
            ),
          },
          {
            header: 'Actions',
            isHidden: true,
            width: '6rem',
            cell: (provider) => mayChange && <ProviderActions provider={provider} onAsk={setAsked} />,
          },
        ]}
        empty={{
          icon: IconWorldShare,
          title: 'No providers',
          children: 'Add the issuer of the tokens that your programs have, such as GitHub Actions.',
          action: create,
        }}
      />
      {isCreating && <AddProvider onClose={() => setCreating(false)} />}
      {asked && <ChangeProvider {...asked} onClose={() => setAsked(null)} />}
    </Page>
  )
}

type Asked = { provider: Provider; verb: 'Disable' | 'Enable' | 'Delete' }

function ProviderActions({ provider, onAsk }: { provider: Provider; onAsk: (asked: Asked) => void }): ReactNode {
  const verb = provider.disabled ? 'Enable' : 'Disable'
  const Icon = provider.disabled ? IconPlayerPlay : IconPlayerPause
  return (
    <>
      <Tooltip label={verb}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`${verb} ${provider.displayName}`}
          onClick={() => onAsk({ provider, verb })}
        >
          <Icon size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Delete">
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Delete ${provider.displayName}`}
          onClick={() => onAsk({ provider, verb: 'Delete' })}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </>
  )
}

const consequences = {
  Disable: 'Tokens of this issuer are no longer accepted, and access tokens issued for them expire immediately.',
  Enable: 'Tokens of this issuer are accepted again by the trusts that are enabled.',
  Delete: 'It can only be deleted if no service principal has a trust with it.',
}

function ChangeProvider({ provider, verb, onClose }: Asked & { onClose: () => void }): ReactNode {
  const changes = [workloadFederationListProviders]
  const done = `${verb}d ${provider.displayName}`
  const update = useChange(workloadFederationUpdateProvider, { changes, done, onDone: onClose })
  const remove = useChange(workloadFederationDeleteProvider, { changes, done, onDone: onClose })
  const { isPending, error } = verb === 'Delete' ? remove : update
  const path = { id: provider.id }
  return (
    <Confirm
      opened
      onClose={onClose}
      title={`${verb} ${provider.displayName}?`}
      verb={verb}
      isPending={isPending}
      error={error}
      onConfirm={() =>
        verb === 'Delete'
          ? remove.mutate({ path })
          : update.mutate({ path, body: { provider: { disabled: verb === 'Disable' }, updateMask: 'disabled' } })
      }
    >
      {consequences[verb]}
    </Confirm>
  )
}

function AddProvider({ onClose }: { onClose: () => void }): ReactNode {
  const [displayName, setDisplayName] = useState('')
  const [kind, setKind] = useState<Provider['wellKnownProvider']>('WELL_KNOWN_WORKLOAD_PROVIDER_GITHUB_ACTIONS')
  const [issuerUrl, setIssuerUrl] = useState('')
  const [bundleEndpointUrl, setBundle] = useState('')
  const create = useChange(workloadFederationCreateProvider, {
    changes: [workloadFederationListProviders],
    done: `Added ${displayName.trim()}`,
    onDone: onClose,
  })
  const isSpiffe = kind === 'WELL_KNOWN_WORKLOAD_PROVIDER_SPIFFE'
  const usual = usualIssuers[kind]
  const isIncomplete =
    displayName.trim() === '' ||
    (usual === undefined && issuerUrl.trim() === '') ||
    (isSpiffe && bundleEndpointUrl.trim() === '')
  return (
    <FormModal
      opened
      onClose={onClose}
      title="Add a federation provider"
      verb="Add provider"
      isIncomplete={isIncomplete}
      isPending={create.isPending}
      error={create.error}
      fields={['displayName', 'issuerUrl', 'spiffe.bundleEndpointUrl']}
      onSubmit={() =>
        create.mutate({
          body: {
            displayName: displayName.trim(),
            wellKnownProvider: kind,
            issuerUrl: issuerUrl.trim(),
            ...(isSpiffe && { spiffe: { bundleEndpointUrl: bundleEndpointUrl.trim() } }),
          },
        })
      }
    >
      <Stack>
        <Select
          label="Kind"
          data={wellKnownChoices}
          allowDeselect={false}
          value={kind}
          onChange={(value) => value && setKind(value)}
        />
        <TextInput
          label="Name"
          required
          maxLength={200}
          value={displayName}
          onChange={({ currentTarget: { value } }) => setDisplayName(value)}
          error={problemOf(create.error, 'displayName')}
        />
        <TextInput
          label={isSpiffe ? 'Trust domain' : 'Issuer URL'}
          description={usual ? `If empty: ${usual}` : 'The iss claim of its tokens.'}
          placeholder={isSpiffe ? 'spiffe://example.org' : 'https://'}
          required={usual === undefined}
          value={issuerUrl}
          onChange={({ currentTarget: { value } }) => setIssuerUrl(value)}
          error={problemOf(create.error, 'issuerUrl')}
        />
        {isSpiffe && (
          <TextInput
            label="Bundle endpoint URL"
            description="Where the trust domain publishes its keys."
            placeholder="https://"
            required
            value={bundleEndpointUrl}
            onChange={({ currentTarget: { value } }) => setBundle(value)}
            error={problemOf(create.error, 'spiffe.bundleEndpointUrl')}
          />
        )}
      </Stack>
    </FormModal>
  )
}
