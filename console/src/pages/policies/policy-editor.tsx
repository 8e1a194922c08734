import { Checkbox, Code, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Policy } from '#client/api/types.ts'
import { ApiError } from '#client/api-error.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { Label } from '../../parts/label.tsx'
import { Panel } from '../../parts/panel.tsx'
import { baselineKey, type Draft, type PolicyType, ruleKeys } from './draft.ts'
import { PolicyField } from './policy-field.tsx'
import { RuleList } from './rule-list.tsx'
import { ScopeField } from './scope-field.tsx'
import { kindOf } from './step-kinds.ts'
import { StepList } from './step-list.tsx'
import { offeredTypes, typeWords } from './words.ts'

/** What several parts of the editor share. */
type Editing = {
  draft: Draft
  change: (changes: Partial<Draft>) => void
  /** The API's error for a field or a part of it. */
  problem: (field: string) => string | undefined
}

/** The fields that show their own errors. */
export const shownFields = (draft: Draft): string[] => [
  'displayName',
  'description',
  'baselinePolicyId',
  'rules',
  'scope',
  ...[baselineKey(draft.policyType), ...ruleKeys(draft)].map((each) => `policySteps.${each}.steps`),
]

export function problemIn(error: unknown, prefix: string): Editing['problem'] {
  const violations = error instanceof ApiError ? error.violations : []
  return (field) =>
    violations.find(({ field: at }) => {
      const own = at.startsWith(prefix) ? at.slice(prefix.length) : at
      return own === field || own.startsWith(`${field}.`) || own.startsWith(`${field}[`)
    })?.description
}

export function PolicyFacts({ draft, change, problem, policy }: Editing & { policy: Policy | null }): ReactNode {
  return (
    <Panel title="The policy">
      <Stack gap="sm">
        <TextInput
          label="Name"
          required
          maxLength={200}
          value={draft.displayName}
          onChange={({ currentTarget: { value } }) => change({ displayName: value })}
          error={problem('displayName')}
        />
        <Textarea
          label="Description"
          autosize
          minRows={1}
          maxLength={10_000}
          value={draft.description}
          onChange={({ currentTarget: { value } }) => change({ description: value })}
          error={problem('description')}
        />
        <NativeSelect
          label="For"
          description="It cannot be changed later."
          disabled={policy !== null}
          value={draft.policyType}
          onChange={({ currentTarget: { value } }) => change(ofType(draft, value as PolicyType))}
          data={
            draft.policyType === 'POLICY_TYPE_CERTIFY'
              ? [{ value: draft.policyType, label: typeWords[draft.policyType] }]
              : offeredTypes
          }
        />
        <ScopeField
          scope={draft.scope}
          onChange={(scope) => change({ scope })}
          isReadOnly={policy !== null}
          error={problem('scope')}
        />
        <Annotations of={policy} />
      </Stack>
    </Panel>
  )
}

export const PolicyRules = ({ draft, change, problem, isReadOnly }: Editing & { isReadOnly: boolean }): ReactNode =>
  (draft.rules.length > 0 || !isReadOnly) && (
    <Panel
      title="Rules"
      about="The first rule whose condition is true applies. If there is none, the steps below apply."
    >
      <RuleList
        rules={draft.rules}
        keys={ruleKeys(draft)}
        onChange={(rules) => change({ rules })}
        policyType={draft.policyType}
        isReadOnly={isReadOnly}
        problem={problem}
      />
    </Panel>
  )

/** The steps if no rule applies. */
export function PolicySteps({ draft, change, problem, isReadOnly }: Editing & { isReadOnly: boolean }): ReactNode {
  const key = baselineKey(draft.policyType)
  return (
    <Panel title={draft.rules.length > 0 ? 'Otherwise' : 'Steps'} about="In this order.">
      <Stack gap="sm">
        {!isReadOnly && (
          <ChoiceField
            label="Use"
            value={draft.isByPolicy ? 'policy' : 'steps'}
            onChange={(value) => change({ isByPolicy: value === 'policy' })}
            data={[
              { value: 'steps', label: 'These steps' },
              { value: 'policy', label: 'Steps of another policy' },
            ]}
          />
        )}
        {draft.isByPolicy ? (
          <PolicyField
            label="Policy"
            policyId={draft.baselinePolicyId}
            policyType={draft.policyType}
            onChange={(baselinePolicyId) => change({ baselinePolicyId })}
            isReadOnly={isReadOnly}
            error={problem('baselinePolicyId') ?? problem('policySteps')}
          />
        ) : (
          <StepList
            label="Steps"
            steps={draft.steps}
            onChange={(steps) => change({ steps })}
            policyType={draft.policyType}
            isReadOnly={isReadOnly}
            problem={(field) => problem(`policySteps.${key}.steps${field}`)}
          />
        )}
        {draft.policyType === 'POLICY_TYPE_CERTIFY' && (
          <Checkbox
            label="Revoke access immediately if it is not certified"
            disabled={isReadOnly}
            checked={draft.remediates === true}
            onChange={({ currentTarget: { checked } }) => change({ remediates: checked })}
          />
        )}
      </Stack>
    </Panel>
  )
}

/** A policy of access reviews gives nothing: it has no provisioning. */
function ofType(draft: Draft, policyType: PolicyType): Partial<Draft> {
  if (policyType !== 'POLICY_TYPE_CERTIFY') return { policyType }
  const given = ({ steps }: Pick<Draft, 'steps'>) => steps.filter(({ step }) => kindOf(step) !== 'provision')
  return {
    policyType,
    steps: given(draft),
    rules: draft.rules.map((rule) => ({ ...rule, steps: given(rule) })),
  }
}

/** What other programs have noted on it. It is kept, and cannot be edited here. */
function Annotations({ of }: { of: Policy | null }): ReactNode {
  const noted = Object.entries(of?.annotations ?? {})
  if (noted.length === 0) return null
  return (
    <Label text="Annotations">
      {(id) => (
        <Text size="sm" aria-labelledby={id} component="div">
          {noted.map(([name, value]) => (
            <div key={name}>
              <Code>
                {name}: {String(value)}
              </Code>
            </div>
          ))}
        </Text>
      )}
    </Label>
  )
}
