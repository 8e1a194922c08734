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
  /** Null where nothing is said. */
  max: string | null
}

type TermsFieldsProps = {
  terms: RequestTerms
  onChange: (terms: RequestTerms) => void
  isReadOnly: boolean
  problem: (field: string) => string | undefined
}

/** What a routing rule or the defaults of an app say about requests. What is left empty says nothing. */
export function TermsFields({ terms, onChange, isReadOnly, problem }: TermsFieldsProps): ReactNode {
  const set = (changes: Partial<RequestTerms>): void => onChange({ ...terms, ...changes })
  const policy = (name: 'requestPolicyId' | 'emergencyGrantPolicyId', label: string): ReactNode =>
    (!isReadOnly || terms[name]) && (
      <PolicyField
        label={label}
        policyId={terms[name]}
        policyType="POLICY_TYPE_GRANT"
        onChange={(id) => set({ [name]: id })}
        isReadOnly={isReadOnly}
        isOptional
        error={problem(name)}
      />
    )
  return (
    <Stack gap="sm">
      {policy('requestPolicyId', 'Policy')}
      <FormField
        label="Form"
        formId={terms.requestSchemaId}
        onChange={(requestSchemaId) => set({ requestSchemaId })}
        isReadOnly={isReadOnly}
        error={problem('requestSchemaId')}
      />
      {!isReadOnly && (
        <DurationField
          label="The longest duration that can be requested"
          value={terms.max}
          onChange={(max) => set({ max })}
          max={null}
          error={problem('maxGrantDuration') ?? problem('durationGrant')}
        />
      )}
      <Checkbox
        label="Can be requested in an emergency"
        disabled={isReadOnly}
        checked={terms.emergencyGrantEnabled}
        onChange={({ currentTarget: { checked } }) => set({ emergencyGrantEnabled: checked })}
      />
      {terms.emergencyGrantEnabled && policy('emergencyGrantPolicyId', 'Policy in an emergency')}
    </Stack>
  )
}
