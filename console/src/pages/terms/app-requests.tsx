import { Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { appSearch, appsGet, appsUpdate } from '#client/api/operations.ts'
import type { App } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Panel } from '../../parts/panel.tsx'
import { AppPage, useApp } from '../apps/app-page.tsx'
import { PolicyField } from '../policies/policy-field.tsx'
import { RequestDefaults } from './request-defaults.tsx'
import { RoutingRules } from './routing-rules.tsx'

/** The settings for requests of an app's entitlements, unless the entitlement has its own. */
export function AppRequests(): ReactNode {
  const { app, mayHere } = useApp()
  const { may } = useSession()
  return (
    <AppPage>
      {app && (
        <>
          {may('terms.read') && (
            <>
              <Text size="sm" c="dimmed" mb="md" maw="48rem">
                Each setting of a request comes from the first of these that defines it: the first matching routing
                rule, the entitlement, the defaults of this app, the policies of this app. An entitlement can be set to
                ignore the rules and defaults. Its Requests tab shows which settings apply, and why.
              </Text>
              <RoutingRules appId={app.id} isReadOnly={!may('terms.write')} />
              <RequestDefaults appId={app.id} isReadOnly={!may('terms.write')} />
            </>
          )}
          <Editor key={app.updatedAt} app={app} isReadOnly={!mayHere('apps.write')} />
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
        title="Policies of this app"
        about="For requests to which nothing above applies. If empty, the built-in policies apply: app owners approve, and access is revoked automatically."
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
