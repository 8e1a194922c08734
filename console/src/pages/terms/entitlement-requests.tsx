import { Button, Checkbox, Group, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { appEntitlementSearch, appEntitlementsGet, appEntitlementsUpdate } from '../../api/operations.ts'
import type { AppEntitlement } from '../../api/types.ts'
import { problemOf } from '../../client/api-error.ts'
import { useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Panel } from '../../parts/panel.tsx'
import { EntitlementPage, useEntitlement } from '../entitlements/entitlement-page.tsx'
import type { DraftProvision } from '../policies/draft.ts'
import { PolicyField } from '../policies/policy-field.tsx'
import { ProvisionFields } from '../policies/step-settings.tsx'

/** What applies when an entitlement is requested: who decides, and how access is carried out. */
export function EntitlementRequests(): ReactNode {
  const { entitlement } = useEntitlement()
  return (
    <EntitlementPage>{entitlement && <Editor key={entitlement.updatedAt} entitlement={entitlement} />}</EntitlementPage>
  )
}

function Editor({ entitlement }: { entitlement: AppEntitlement }): ReactNode {
  const { may } = useSession()
  const { permissions } = useEntitlement()
  const isReadOnly = !(may('entitlements.write') || permissions?.edit)
  const [terms, setTerms] = useState({
    grantPolicyId: entitlement.grantPolicyId,
    revokePolicyId: entitlement.revokePolicyId,
    emergencyGrantEnabled: entitlement.emergencyGrantEnabled,
    emergencyGrantPolicyId: entitlement.emergencyGrantPolicyId,
    provisionerPolicy: entitlement.provisionerPolicy as DraftProvision | null,
    deprovisionerPolicy: entitlement.deprovisionerPolicy as DraftProvision | null,
  })
  const set = (changes: Partial<typeof terms>): void => setTerms((before) => ({ ...before, ...changes }))
  const update = useChange(appEntitlementsUpdate, {
    changes: [appEntitlementsGet, appEntitlementSearch],
    done: 'Saved',
  })
  const { error } = update
  const problem = (field: string): string | undefined =>
    problemOf(error, `entitlement.${field}`) ?? problemOf(error, `appEntitlement.${field}`) ?? problemOf(error, field)
  const policy = (name: 'grantPolicyId' | 'revokePolicyId' | 'emergencyGrantPolicyId', label: string, type: string) =>
    (!isReadOnly || terms[name]) && (
      <PolicyField
        label={label}
        policyId={terms[name]}
        policyType={type}
        onChange={(id) => set({ [name]: id })}
        isReadOnly={isReadOnly}
        isOptional
        error={problem(name)}
      />
    )
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        update.mutate({
          path: { app_id: entitlement.appId, id: entitlement.id },
          body: { entitlement: terms, updateMask: Object.keys(terms).join(',') },
        })
      }}
    >
      <Panel
        title="Who decides"
        about="Where nothing is chosen, the policy of the app applies, or else the default policy."
      >
        <Stack maw="36rem">
          {policy('grantPolicyId', 'When access is requested', 'POLICY_TYPE_GRANT')}
          {policy('revokePolicyId', 'When access is revoked or ends', 'POLICY_TYPE_REVOKE')}
          <Checkbox
            label="Can be requested in an emergency"
            disabled={isReadOnly}
            checked={terms.emergencyGrantEnabled}
            onChange={({ currentTarget: { checked } }) => set({ emergencyGrantEnabled: checked })}
          />
          {terms.emergencyGrantEnabled &&
            policy('emergencyGrantPolicyId', 'When access is requested in an emergency', 'POLICY_TYPE_GRANT')}
        </Stack>
      </Panel>
      <Panel title="How access is carried out">
        <Stack maw="36rem">
          <ProvisionFields
            policy={terms.provisionerPolicy}
            onChange={(provisionerPolicy) => set({ provisionerPolicy })}
            label="Giving access"
            standard="On record at once"
            isReadOnly={isReadOnly}
            problem={(field) => problem(`provisionerPolicy.${field}`)}
          />
          <ProvisionFields
            policy={terms.deprovisionerPolicy}
            onChange={(deprovisionerPolicy) => set({ deprovisionerPolicy })}
            label="Removing access"
            standard="The same way as it is given"
            isReadOnly={isReadOnly}
            problem={(field) => problem(`deprovisionerPolicy.${field}`)}
          />
        </Stack>
      </Panel>
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
