import { Badge, Button, Code, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import {
  federationAttemptsList,
  rolesList,
  servicePrincipalGet,
  workloadFederationDeleteTrust,
  workloadFederationGetTrust,
  workloadFederationListTrusts,
  workloadFederationTestToken,
  workloadFederationUpdateTrust,
} from '#client/api/operations.ts'
import type { WorkloadFederationServiceTestTokenResponse, WorkloadFederationTrust } from '#client/api/types.ts'
import { call } from '../../client/call.ts'
import { read, useChange } from '../../client/queries.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Summary } from '../../parts/summary.tsx'
import { useProviders } from './federation-reads.ts'
import { type StepName, stepTitle, stepTitles } from './federation-words.ts'
import { subjectOf, TrustForm } from './trust-form.tsx'

/** One trust: its condition, a test of a token, and what came to it in the last two weeks. */
export function Trust(): ReactNode {
  const { principalId = '', clientId = '' } = useParams({ strict: false })
  const path = { service_principal_id: principalId, client_id: clientId }
  const { data, error, refetch } = useQuery(read(workloadFederationGetTrust, { path }))
  const { data: of } = useQuery(read(servicePrincipalGet, { path: { id: principalId } }))
  const providers = useProviders() ?? []
  const trust = data?.trust
  const principal = of?.servicePrincipal
  const above = [
    { label: 'Service principals', to: '/principals' },
    { label: principal?.displayName ?? 'Service principal', to: `/principals/${principalId}` },
  ]
  if (error)
    return (
      <Page title="Federation trust" above={above}>
        <ErrorNote error={error} title="This trust cannot be shown" retry={() => void refetch()} />
      </Page>
    )
  const provider = providers.find(({ id }) => id === trust?.providerId)
  return (
    <Page
      title={trust?.displayName ?? null}
      above={above}
      about="Tokens of the provider that meet the condition are exchanged for access tokens of the service principal."
      actions={trust && principal?.objectPermissions?.edit && <TrustActions trust={trust} />}
    >
      <Summary
        facts={
          trust
            ? [
                [
                  'Status',
                  <Badge key="status" variant="light" color={trust.disabled ? 'gray' : 'teal'}>
                    {trust.disabled ? 'Disabled' : 'Enabled'}
                  </Badge>,
                ],
                ['Provider', provider?.displayName ?? trust.providerId],
                ['Issuer', <Code key="issuer">{provider?.issuerUrl ?? ''}</Code>],
                ['Roles', <RoleNames key="roles" ids={trust.scopedRoleIds} />],
                ['Allowed IPs', trust.allowSourceCidrs.join(', ') || 'Any'],
                ['Claims passed on', trust.passthroughClaims.join(', ') || 'None'],
                ['Created', <Moment key="created" at={trust.createdAt} show="day" />],
              ]
            : []
        }
      />
      {trust && (
        <>
          <Panel title="Condition">
            <Stack gap="sm">
              <CopyText value={trust.conditionExpression} label="Copy the condition" isBlock />
              <Text size="sm">Client id</Text>
              <CopyText value={trust.clientId} label="Copy the client id" />
            </Stack>
          </Panel>
          <Attempts trust={trust} />
        </>
      )}
    </Page>
  )
}

function RoleNames({ ids }: { ids: readonly string[] }): ReactNode {
  const { data } = useQuery(read(rolesList, {}))
  if (ids.length === 0) return 'All of the service principal'
  return ids.map((id) => data?.list.find((role) => role.id === id)?.displayName ?? id).join(', ')
}

type Dialogue = 'change' | 'test' | 'status' | 'delete' | null

function TrustActions({ trust }: { trust: WorkloadFederationTrust }): ReactNode {
  const [open, setOpen] = useState<Dialogue>(null)
  const navigate = useNavigate()
  const close = () => setOpen(null)
  const path = { service_principal_id: trust.servicePrincipalId, client_id: trust.clientId }
  const changes = [workloadFederationGetTrust, workloadFederationListTrusts]
  const verb = trust.disabled ? 'Enable' : 'Disable'
  const update = useChange(workloadFederationUpdateTrust, {
    changes,
    done: `${verb}d ${trust.displayName}`,
    onDone: close,
  })
  const remove = useChange(workloadFederationDeleteTrust, {
    changes: [workloadFederationListTrusts],
    done: `Deleted ${trust.displayName}`,
    onDone: () => void navigate({ href: `/principals/${trust.servicePrincipalId}` }),
  })
  return (
    <Group gap="xs">
      <Button onClick={() => setOpen('test')}>Test a token</Button>
      <Button variant="default" onClick={() => setOpen('change')}>
        Edit
      </Button>
      <Button variant="default" onClick={() => setOpen('status')}>
        {verb}
      </Button>
      <Button variant="default" onClick={() => setOpen('delete')}>
        Delete
      </Button>
      {open === 'test' && <TestToken trust={trust} onClose={close} />}
      {open === 'change' && <TrustForm principalId={trust.servicePrincipalId} trust={trust} onClose={close} />}
      <Confirm
        opened={open === 'status'}
        onClose={close}
        title={`${verb} ${trust.displayName}?`}
        verb={verb}
        isPending={update.isPending}
        error={update.error}
        onConfirm={() =>
          update.mutate({ path, body: { trust: { disabled: !trust.disabled }, updateMask: 'disabled' } })
        }
      >
        {trust.disabled
          ? 'Tokens that meet the condition are accepted again.'
          : 'Tokens are no longer accepted, and issued access tokens expire immediately.'}
      </Confirm>
      <Confirm
        opened={open === 'delete'}
        onClose={close}
        title={`Delete ${trust.displayName}?`}
        verb="Delete"
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ path })}
      >
        Its access tokens expire immediately, and the list of recent tokens is deleted. This cannot be undone.
      </Confirm>
    </Group>
  )
}

function TestToken({ trust, onClose }: { trust: WorkloadFederationTrust; onClose: () => void }): ReactNode {
  const [subjectToken, setToken] = useState('')
  const [sourceIp, setSourceIp] = useState('')
  const path = { service_principal_id: trust.servicePrincipalId, client_id: trust.clientId }
  const test = useMutation({
    mutationFn: () => call(workloadFederationTestToken, { path, body: { subjectToken, sourceIp } }),
  })
  return (
    <FormModal
      opened
      onClose={onClose}
      title="Test a token"
      verb="Test"
      isIncomplete={subjectToken.trim() === ''}
      isPending={test.isPending}
      error={test.error}
      onSubmit={() => test.mutate()}
    >
      <Textarea
        label="Token"
        description="A JWT of the issuer. It is checked and not stored."
        required
        autosize
        minRows={3}
        maxRows={8}
        spellCheck={false}
        value={subjectToken}
        onChange={({ currentTarget: { value } }) => setToken(value)}
      />
      <TextInput
        label="Source address"
        description="The IP address of the workload. If empty, it is not checked."
        value={sourceIp}
        onChange={({ currentTarget: { value } }) => setSourceIp(value)}
      />
      {test.data && <Verdict verdict={test.data} />}
    </FormModal>
  )
}

function Verdict({ verdict }: { verdict: WorkloadFederationServiceTestTokenResponse }): ReactNode {
  return (
    <Stack gap="xs" role="status">
      <Text fw={600}>{verdict.overallResult ? 'The token is accepted' : 'The token is refused'}</Text>
      {(Object.keys(stepTitles) as StepName[]).map((name) => {
        const step = verdict[name]
        const word = step?.skipped ? 'Skipped' : step?.passed ? 'Passed' : 'Failed'
        return (
          <Group key={name} gap="xs" wrap="nowrap" align="flex-start">
            <Badge variant="light" color={word === 'Passed' ? 'teal' : word === 'Failed' ? 'red' : 'gray'} miw="5rem">
              {word}
            </Badge>
            <div>
              <Text size="sm">{stepTitles[name]}</Text>
              {step?.detail && (
                <Text size="sm" c="dimmed">
                  {step.detail}
                </Text>
              )}
            </div>
          </Group>
        )
      })}
    </Stack>
  )
}

function Attempts({ trust }: { trust: WorkloadFederationTrust }): ReactNode {
  return (
    <Panel
      title="Recent tokens"
      about="Tokens that this trust received in the last two weeks. Only claims are stored, never tokens. Similar tokens are grouped in one row."
    >
      <DataList
        caption="Recent tokens"
        operation={federationAttemptsList}
        input={({ pageSize, pageToken }) => ({
          path: { service_principal_id: trust.servicePrincipalId, client_id: trust.clientId },
          query: { page_size: pageSize, page_token: pageToken },
        })}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        columns={[
          {
            header: 'Result',
            width: '7rem',
            cell: ({ outcome }) => (
              <Badge variant="light" color={outcome === 'ADMITTED' ? 'teal' : 'red'}>
                {outcome === 'ADMITTED' ? 'Accepted' : 'Refused'}
              </Badge>
            ),
          },
          { header: 'Subject', cell: ({ claims }) => <code>{subjectOf(claims)}</code> },
          {
            header: 'Reason',
            cell: ({ failedStep, detail }) => (failedStep === '' ? '' : `${stepTitle(failedStep)}: ${detail}`),
          },
          { header: 'Times', width: '5rem', cell: ({ times }) => String(times) },
          { header: 'Last', width: '9rem', cell: ({ lastAt }) => <Moment at={lastAt} /> },
        ]}
        empty={{
          icon: IconHistory,
          title: 'No tokens yet',
          children: 'Exchange one in your workload, or test one here.',
        }}
      />
    </Panel>
  )
}
