import { Button, Checkbox, Group, Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  appEntitlementSearch,
  appEntitlementsGet,
  appEntitlementsUpdate,
  policiesGet,
  requestSchemaCreateEntitlementBinding,
  requestSchemaRemoveEntitlementBinding,
  requestTermsGet,
} from '#client/api/operations.ts'
import type { AppEntitlement, AppliedSetting } from '#client/api/types.ts'
import { call } from '../../client/call.ts'
import { problemOf } from '../../client/problem.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { EntitlementEnforced } from '../../parts/enforcement.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Named } from '../../parts/named.tsx'
import { Panel } from '../../parts/panel.tsx'
import { EntitlementPage, useEntitlement } from '../entitlements/entitlement-page.tsx'
import type { DraftProvision } from '../policies/draft.ts'
import { PolicyField } from '../policies/policy-field.tsx'
import { appDecides, ProvisionFields } from '../policies/provision-fields.tsx'
import { lengthWords } from '../tasks/words.ts'
import { FormField } from './form-field.tsx'

/** What applies when an entitlement is requested: who decides, and how access is provisioned. */
export function EntitlementRequests(): ReactNode {
  const { entitlement } = useEntitlement()
  return (
    <EntitlementPage>
      {entitlement && (
        <>
          <Applied appId={entitlement.appId} entitlementId={entitlement.id} />
          <Editor key={entitlement.updatedAt} entitlement={entitlement} />
        </>
      )}
    </EntitlementPage>
  )
}

/** The settings that apply now, with all rules and defaults, and the source of each. */
function Applied({ appId, entitlementId }: { appId: string; entitlementId: string }): ReactNode {
  const { data, error } = useQuery({
    ...read(requestTermsGet, { path: { app_id: appId, entitlement_id: entitlementId } }),
    retry: false,
  })
  if (error) return <ErrorNote error={error} title="The request settings could not be loaded" />
  if (!data) return null
  const why = (applied: AppliedSetting | null): string => applied?.why ?? ''
  return (
    <Panel title="What applies now" about="Includes the routing rules and defaults of the app.">
      <Facts
        facts={[
          [
            'When access is requested',
            <PolicyName key="grant" id={data.grantPolicyId} why={why(data.grantPolicySource)} />,
          ],
          [
            'When access is revoked or ends',
            <PolicyName key="revoke" id={data.revokePolicyId} why={why(data.revokePolicySource)} />,
          ],
          [
            'Maximum duration',
            <Named
              key="max"
              isQuiet
              label={lengthWords(data.maxGrantDuration)}
              about={why(data.maxGrantDurationSource)}
            />,
          ],
          [
            'Form',
            <Named
              key="form"
              isQuiet
              label={data.requestSchema?.form?.displayName ?? 'None'}
              to={data.requestSchema ? `/forms/${data.requestSchema.id}` : undefined}
              about={why(data.requestSchemaSource)}
            />,
          ],
          [
            'In an emergency',
            <Named
              key="emergency"
              isQuiet
              label={data.emergencyAvailable ? 'Can be requested' : 'No'}
              about={why(data.emergencySource)}
            />,
          ],
          ['A reason is required', data.justificationRequired ? 'Yes' : 'No'],
        ]}
      />
    </Panel>
  )
}

function PolicyName({ id, why }: { id: string; why: string }): ReactNode {
  const { data } = useQuery({ ...read(policiesGet, { path: { id } }), enabled: id !== '' })
  return (
    <Named
      isQuiet
      label={data?.policy?.displayName ?? (id || 'The default policy')}
      to={id ? `/policies/${id}` : undefined}
      about={why}
    />
  )
}

const termsOf = (entitlement: AppEntitlement) => ({
  grantPolicyId: entitlement.grantPolicyId,
  revokePolicyId: entitlement.revokePolicyId,
  emergencyGrantEnabled: entitlement.emergencyGrantEnabled,
  emergencyGrantPolicyId: entitlement.emergencyGrantPolicyId,
  provisionerPolicy: entitlement.provisionerPolicy as DraftProvision | null,
  deprovisionerPolicy: entitlement.deprovisionerPolicy as DraftProvision | null,
  overrideAccessRequestsDefaults: entitlement.overrideAccessRequestsDefaults,
})
type Terms = ReturnType<typeof termsOf>

type Editing = {
  terms: Terms
  set: (changes: Partial<Terms>) => void
  isReadOnly: boolean
  problem: (field: string) => string | undefined
}

function Editor({ entitlement }: { entitlement: AppEntitlement }): ReactNode {
  const { may } = useSession()
  const { permissions } = useEntitlement()
  const isReadOnly = !(may('entitlements.write') || permissions?.edit)
  const [terms, setTerms] = useState(() => termsOf(entitlement))
  const set = (changes: Partial<Terms>): void => setTerms((before) => ({ ...before, ...changes }))
  const update = useChange(appEntitlementsUpdate, {
    changes: [appEntitlementsGet, appEntitlementSearch, requestTermsGet],
    done: 'Saved',
  })
  // Who owns only the entitlement may not override, and may change the rest.
  const { overrideAccessRequestsDefaults, ...others } = terms
  const sent = overrideAccessRequestsDefaults === entitlement.overrideAccessRequestsDefaults ? others : terms
  const { error } = update
  const problem = (field: string): string | undefined =>
    problemOf(error, `entitlement.${field}`) ?? problemOf(error, `appEntitlement.${field}`) ?? problemOf(error, field)
  const editing = { terms, set, isReadOnly, problem }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        update.mutate({
          path: { app_id: entitlement.appId, id: entitlement.id },
          body: { entitlement: sent, updateMask: Object.keys(sent).join(',') },
        })
      }}
    >
      <Deciders entitlement={entitlement} {...editing} />
      <BoundForm entitlement={entitlement} />
      <Provisioning entitlement={entitlement} {...editing} />
      <ErrorNote error={error} />
      {!isReadOnly && (
        <Group mt="md">
          <Button type="submit" loading={update.isPending}>
            Save
          </Button>
        </Group>
      )}
    </form>
  )
}

function Deciders({
  entitlement,
  terms,
  set,
  isReadOnly,
  problem,
}: Editing & { entitlement: AppEntitlement }): ReactNode {
  const policy = (name: 'grantPolicyId' | 'revokePolicyId' | 'emergencyGrantPolicyId', label: string, type: string) =>
    (!isReadOnly || terms[name]) && (
      <PolicyField
        label={label}
        policyId={terms[name]}
        policyType={type}
        onChange={(id) => set({ [name]: id })}
        isReadOnly={isReadOnly}
        isOptional
        {...(name === 'emergencyGrantPolicyId' && {
          object: { appId: entitlement.appId, entitlementId: entitlement.id },
          description: 'If empty, emergency access is not available.',
        })}
        error={problem(name)}
      />
    )
  return (
    <Panel
      title="Who decides"
      about="If a setting is empty, the routing rules, the defaults and the policy of the app apply, and then the default policy."
    >
      <Stack maw="36rem">
        <Checkbox
          label="Ignore the routing rules and defaults of the app"
          description="The settings on this page then take precedence."
          disabled={isReadOnly}
          checked={terms.overrideAccessRequestsDefaults}
          onChange={({ currentTarget: { checked } }) => set({ overrideAccessRequestsDefaults: checked })}
          error={problem('overrideAccessRequestsDefaults')}
        />
        {policy('grantPolicyId', 'When access is requested', 'POLICY_TYPE_GRANT')}
        {policy('revokePolicyId', 'When access is revoked or ends', 'POLICY_TYPE_REVOKE')}
        <Checkbox
          label="Emergency access can be requested"
          disabled={isReadOnly}
          checked={terms.emergencyGrantEnabled}
          onChange={({ currentTarget: { checked } }) => set({ emergencyGrantEnabled: checked })}
        />
        {terms.emergencyGrantEnabled &&
          policy('emergencyGrantPolicyId', 'When access is requested in an emergency', 'POLICY_TYPE_GRANT')}
      </Stack>
    </Panel>
  )
}

const Provisioning = ({
  entitlement,
  terms,
  set,
  isReadOnly,
  problem,
}: Editing & { entitlement: AppEntitlement }): ReactNode => (
  <Panel title="How access is provisioned" about={<EntitlementEnforced of={entitlement} />}>
    <Stack maw="36rem">
      <ProvisionFields
        policy={terms.provisionerPolicy}
        onChange={(provisionerPolicy) => set({ provisionerPolicy })}
        label="Granting access"
        standard={appDecides}
        isReadOnly={isReadOnly}
        problem={(field) => problem(`provisionerPolicy.${field}`)}
      />
      <ProvisionFields
        policy={terms.deprovisionerPolicy}
        onChange={(deprovisionerPolicy) => set({ deprovisionerPolicy })}
        label="Revoking access"
        standard="In the same way as granting"
        isReadOnly={isReadOnly}
        problem={(field) => problem(`deprovisionerPolicy.${field}`)}
      />
    </Stack>
  </Panel>
)

/** The form that is bound to the entitlement itself. It is saved at once: it is not a field of the entitlement. */
function BoundForm({ entitlement: { appId, id, requestSchemaId } }: { entitlement: AppEntitlement }): ReactNode {
  const { may } = useSession()
  const client = useQueryClient()
  const isReadOnly = !may('forms.write')
  const bind = useMutation({
    mutationFn: async (formId: string) => {
      const entitlementRef = { appId, id }
      if (requestSchemaId !== '')
        await call(requestSchemaRemoveEntitlementBinding, { body: { entitlementRef, requestSchemaId } })
      if (formId !== '')
        await call(requestSchemaCreateEntitlementBinding, { body: { entitlementRef, requestSchemaId: formId } })
    },
    onSettled: () =>
      Promise.all(
        [appEntitlementsGet, requestTermsGet].map((each) => client.invalidateQueries({ queryKey: [each.id] })),
      ),
  })
  if (isReadOnly && requestSchemaId === '') return null
  return (
    <Panel
      title="Form"
      about="Questions that requesters answer. If no form is selected, the routing rules and defaults of the app apply."
    >
      <Stack maw="36rem">
        <FormField
          label="Form"
          formId={requestSchemaId}
          onChange={(formId) => bind.mutate(formId)}
          isReadOnly={isReadOnly || bind.isPending}
        />
        <ErrorNote error={bind.error} title="The form was not changed" />
      </Stack>
    </Panel>
  )
}
