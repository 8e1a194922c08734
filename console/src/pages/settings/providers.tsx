import { Badge, Button, Text } from '@mantine/core'
import { IconLogin2, IconPencil, IconPlayerPlay, IconPlus, IconPower, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  signInProviderDelete,
  signInProviderDisable,
  signInProviderEnable,
  signInProviderList,
  signInProviderStartTest,
  signInWays,
} from '#client/api/operations.ts'
import type { SignInProvider } from '#client/api/types.ts'
import { call } from '../../client/call.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ConfirmChange } from '../../parts/confirm-change.tsx'
import { EmptyNote } from '../../parts/empty-note.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Panel } from '../../parts/panel.tsx'
import { actionsColumn, type RowAction } from '../../parts/row-actions.tsx'
import { Table } from '../../parts/table.tsx'
import { ProviderForm } from './provider-form.tsx'
import { ProviderTest } from './provider-test.tsx'

const domainsOf = ({ domains }: SignInProvider): string => (domains.length === 0 ? 'all' : domains.join(', '))

type Asked = { what: 'enable' | 'disable' | 'delete'; provider: SignInProvider } | null

/** The OpenID Connect providers, by the mail domains of the people who sign in with them. */
export function Providers(): ReactNode {
  const mayChange = useSession().may('sign-in.write')
  const [editing, setEditing] = useState<SignInProvider | 'new' | null>(null)
  const [asked, setAsked] = useState<Asked>(null)
  // There are at most 21 of them.
  const found = useQuery(read(signInProviderList, { query: { page_size: 100 } }))
  const test = useMutation({
    mutationFn: ({ id }: SignInProvider) =>
      call(signInProviderStartTest, { path: { id }, body: { returnTo: '/settings/sign-in' } }),
    onSuccess: ({ url }) => location.assign(url),
  })
  const add = mayChange && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditing('new')}>
      Add a provider
    </Button>
  )
  return (
    <Panel title="Single sign-on" actions={add}>
      <ErrorNote error={test.error} title="The provider was not tested" />
      <ErrorNote error={found.error} title="The providers cannot be shown" retry={() => void found.refetch()} />
      {found.data?.list.length === 0 && (
        <EmptyNote icon={IconLogin2} title="No providers">
          Add the OpenID Connect provider of your organization, test it, and enable it.
        </EmptyNote>
      )}
      {found.data?.list.length !== 0 && !found.error && (
        <Table
          caption="Providers"
          rows={found.data?.list ?? []}
          keyOf={({ id }) => id}
          isPending={found.isPending}
          isStale={false}
          columns={[
            {
              header: 'Provider',
              cell: ({ displayName, issuer }) => (
                <>
                  <strong>{displayName}</strong>
                  <Text size="xs" c="dimmed">
                    {issuer}
                  </Text>
                </>
              ),
            },
            { header: 'Mail domains', width: '20%', cell: domainsOf },
            { header: 'Last test', width: '30%', cell: ({ test: last }) => <ProviderTest test={last} /> },
            {
              header: 'State',
              width: '7rem',
              cell: ({ isEnabled }) => (
                <Badge component="span" color={isEnabled ? 'teal' : 'gray'}>
                  {isEnabled ? 'Enabled' : 'Disabled'}
                </Badge>
              ),
            },
            actionsColumn<SignInProvider>('9.5rem', (provider) =>
              mayChange
                ? actionsOf(provider, {
                    onTest: () => test.mutate(provider),
                    onEdit: () => setEditing(provider),
                    onAsk: (what) => setAsked({ what, provider }),
                  })
                : [],
            ),
          ]}
        />
      )}
      {editing && <ProviderForm provider={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
      {asked && <Question asked={asked} onClose={() => setAsked(null)} />}
    </Panel>
  )
}

type Handlers = { onTest: () => void; onEdit: () => void; onAsk: (what: NonNullable<Asked>['what']) => void }

/** The provider of the operator can only be tested here. */
function actionsOf({ displayName, isEnabled, isOfOperator }: SignInProvider, on: Handlers): RowAction[] {
  const test = { label: 'Test', name: `Test ${displayName}`, icon: IconPlayerPlay, onClick: on.onTest }
  if (isOfOperator) return [test]
  const verb = isEnabled ? 'Disable' : 'Enable'
  const actions = [
    test,
    { label: 'Edit', name: `Edit ${displayName}`, icon: IconPencil, onClick: on.onEdit },
    {
      label: verb,
      name: `${verb} ${displayName}`,
      icon: IconPower,
      onClick: () => on.onAsk(isEnabled ? 'disable' : 'enable'),
    },
  ]
  if (isEnabled) return actions
  return [
    ...actions,
    { label: 'Delete', name: `Delete ${displayName}`, icon: IconTrash, onClick: () => on.onAsk('delete') },
  ]
}

const changes = [signInProviderList, signInWays]

function Question({
  asked: { what, provider },
  onClose,
}: {
  asked: NonNullable<Asked>
  onClose: () => void
}): ReactNode {
  const enable = useChange(signInProviderEnable, { changes, done: 'Enabled the provider', onDone: onClose })
  const disable = useChange(signInProviderDisable, { changes, done: 'Disabled the provider', onDone: onClose })
  const remove = useChange(signInProviderDelete, { changes, done: 'Deleted the provider', onDone: onClose })
  const { displayName } = provider
  const words = {
    enable: {
      change: enable,
      verb: 'Enable',
      about: (
        <>
          {displayName} then decides who signs in as people with an address in <strong>{domainsOf(provider)}</strong>.
          Enable it only if you trust whoever runs it. Administrators must link their identity first.
          {provider.test?.code === '' ? '' : ' No test of it has signed anyone in yet.'}
        </>
      ),
    },
    disable: {
      change: disable,
      verb: 'Disable',
      about: <>Nobody can sign in with {displayName} any more. People who are signed in stay signed in.</>,
    },
    delete: {
      change: remove,
      verb: 'Delete',
      about: <>The settings and the client secret of {displayName} are deleted. Linked identities stay linked.</>,
    },
  }[what]
  return (
    <ConfirmChange
      opened
      onClose={onClose}
      title={`${words.verb} this provider?`}
      verb={words.verb}
      change={words.change}
      input={{ path: { id: provider.id }, body: {} }}
    >
      {words.about}
    </ConfirmChange>
  )
}
