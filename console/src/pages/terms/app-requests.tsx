import { Button, Group, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { appSearch, appsGet, appsUpdate } from '../../api/operations.ts'
import type { App } from '../../api/types.ts'
import { problemOf } from '../../client/api-error.ts'
import { useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Panel } from '../../parts/panel.tsx'
import { AppPage, useApp } from '../apps/app-page.tsx'
import { PolicyField } from '../policies/policy-field.tsx'
import { RequestDefaults } from './request-defaults.tsx'
import { RoutingRules } from './routing-rules.tsx'

/** What applies when something of an app is requested, unless the entitlement says otherwise. */
export function AppRequests(): ReactNode {
  const { app, mayHere } = useApp()
  const { may } = useSession()
  return (
    <AppPage>
      {app && (
        <>
          <Editor key={app.updatedAt} app={app} isReadOnly={!mayHere('apps.write')} />
          {may('terms.read') && (
            <>
              <RoutingRules appId={app.id} isReadOnly={!may('terms.write')} />
              <RequestDefaults appId={app.id} isReadOnly={!may('terms.write')} />
            </>
          )}
        </>
      )}
    </AppPage>
  )
}

function Editor({ app, isReadOnly }: { app: App; isReadOnly: boolean }): ReactNode {
  const [terms, setTerms] = useState({ grantPolicyId: app.grantPolicyId, revokePolicyId: app.revokePolicyId })
  const update = useChange(appsUpdate, { changes: [appsGet, appSearch], done: 'Saved' })
  const { error } = update
  const policy = (name: keyof typeof terms, label: string, type: string): ReactNode =>
    (!isReadOnly || terms[name]) && (
      <PolicyField
        label={label}
        policyId={terms[name]}
        policyType={type}
        onChange={(id) => setTerms((before) => ({ ...before, [name]: id }))}
        isReadOnly={isReadOnly}
        isOptional
        error={problemOf(error, `app.${name}`)}
      />
    )
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        update.mutate({ path: { id: app.id }, body: { app: terms, updateMask: Object.keys(terms).join(',') } })
      }}
    >
      <Panel
        title="Who decides"
        about="For every entitlement of this app that names no policy of its own. Where nothing is chosen, the default policy applies: app owners approve, and access is revoked without a decision."
      >
        <Stack maw="36rem">
          {policy('grantPolicyId', 'When access is requested', 'POLICY_TYPE_GRANT')}
          {policy('revokePolicyId', 'When access is revoked or ends', 'POLICY_TYPE_REVOKE')}
        </Stack>
        <ErrorNote error={error} shownElsewhere={['app.grantPolicyId', 'app.revokePolicyId']} />
        {!isReadOnly && (
          <Group mt="md">
            <Button type="submit" loading={update.isPending}>
              Save
            </Button>
          </Group>
        )}
      </Panel>
    </form>
  )
}
