import { Checkbox, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { DurationField } from '../../parts/duration-field.tsx'
import { PolicyField } from '../policies/policy-field.tsx'
import { FormField } from './form-field.tsx'

export type RequestTerms = {
  requestPolicyId: string
  requestSchemaId: string
  emergencyGrantEnabled: boolean
  emergencyGrantPolicyId: string
  /** Null if not set. */
  max: string | null
  /** Whether it is set that there is no maximum duration; absent if that cannot be set. */
  isUnlimited?: boolean
}

type TermsFieldsProps = {
  appId: string
  terms: RequestTerms
  onChange: (terms: RequestTerms) => void
  isReadOnly: boolean
  problem: (field: string) => string | undefined
}

/** The request settings of a routing rule or of an app's defaults. Empty fields are not set. */
export function TermsFields({ appId, terms, onChange, isReadOnly, problem }: TermsFieldsProps): ReactNode {
  const set = (changes: Partial<RequestTerms>): void => onChange({ ...terms, ...changes })
  const { isUnlimited } = terms
  return (
    <Stack gap="sm">
      {(!isReadOnly || terms.requestPolicyId) && (
        <PolicyField
          label="Policy"
          description="Who decides. If empty, it is not set here."
          policyId={terms.requestPolicyId}
          policyType="POLICY_TYPE_GRANT"
          onChange={(requestPolicyId) => set({ requestPolicyId })}
          isReadOnly={isReadOnly}
          isOptional
          error={problem('requestPolicyId')}
        />
      )}
      <FormField
        label="Form"
        formId={terms.requestSchemaId}
        onChange={(requestSchemaId) => set({ requestSchemaId })}
        isReadOnly={isReadOnly}
        error={problem('requestSchemaId')}
      />
      {isUnlimited !== true && (
        <DurationField
          label="Maximum duration"
          value={terms.max}
          onChange={(max) => set({ max })}
          max={null}
          without="Not set"
          isReadOnly={isReadOnly}
          error={problem('maxGrantDuration') ?? problem('durationGrant')}
        />
      )}
      {isUnlimited !== undefined && terms.max === null && (
        <Checkbox
          label="Access can be requested without expiry"
          disabled={isReadOnly}
          checked={isUnlimited}
          onChange={({ currentTarget: { checked } }) => set({ isUnlimited: checked })}
        />
      )}
      <Checkbox
        label="Emergency access can be requested"
        disabled={isReadOnly}
        checked={terms.emergencyGrantEnabled}
        onChange={({ currentTarget: { checked } }) => set({ emergencyGrantEnabled: checked })}
      />
      {terms.emergencyGrantEnabled && (
        <PolicyField
          label="Emergency policy"
          description="If empty, emergency access is not available."
          policyId={terms.emergencyGrantPolicyId}
          policyType="POLICY_TYPE_GRANT"
          object={{ appId }}
          onChange={(emergencyGrantPolicyId) => set({ emergencyGrantPolicyId })}
          isReadOnly={isReadOnly}
          isOptional
          error={problem('emergencyGrantPolicyId')}
        />
      )}
    </Stack>
  )
}
