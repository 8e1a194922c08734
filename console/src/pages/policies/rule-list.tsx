import { Button, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { listActions } from '../../parts/move.ts'
import { CelField } from './cel-field.tsx'
import { type DraftRule, newRule, type PolicyType } from './draft.ts'
import { NumberedItem } from './numbered-item.tsx'
import { PolicyField } from './policy-field.tsx'
import classes from './policy-page.module.css'
import { StepList } from './step-list.tsx'

/** The same of all rules. */
type Shared = {
  policyType: PolicyType
  isReadOnly: boolean
  problem: (field: string) => string | undefined
}

type RuleListProps = Shared & {
  rules: readonly DraftRule[]
  /** The keys under which the steps of each are sent. */
  keys: readonly string[]
  onChange: (rules: readonly DraftRule[]) => void
}

const rulesMax = 16

/** Conditions under which other steps are taken: the first that is true decides. */
export function RuleList({ rules, keys, onChange, ...shared }: RuleListProps): ReactNode {
  const { isReadOnly } = shared
  return (
    <div>
      <ol className={classes.steps} aria-label="Rules">
        {rules.map((rule, place) => (
          <NumberedItem
            key={rule.key}
            place={place}
            title="If"
            actions={isReadOnly ? null : listActions({ list: rules, place, name: `rule ${place + 1}`, onChange })}
          >
            <RuleFields
              {...shared}
              place={place}
              rule={rule}
              stepsKey={keys[place] ?? ''}
              onChange={(changed) => onChange(rules.map((each) => (each.key === rule.key ? changed : each)))}
            />
          </NumberedItem>
        ))}
      </ol>
      {!isReadOnly && rules.length < rulesMax && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...rules, newRule()])}
        >
          Add rule
        </Button>
      )}
    </div>
  )
}

type RuleFieldsProps = Shared & {
  place: number
  rule: DraftRule
  stepsKey: string
  onChange: (rule: DraftRule) => void
}

function RuleFields({ place, rule, stepsKey, onChange, policyType, isReadOnly, problem }: RuleFieldsProps): ReactNode {
  const put = (changes: Partial<DraftRule>): void => onChange({ ...rule, ...changes })
  return (
    <Stack gap="sm">
      <CelField
        label="Condition"
        description="A CEL expression that returns true or false. It can use subject, account, entitlement, task and ip."
        placeholder={'subject.department == "Engineering"'}
        value={rule.condition}
        onChange={(condition) => put({ condition })}
        isReadOnly={isReadOnly}
        error={problem(`rules[${place}].condition`) ?? problem(`rules[${place}]`)}
      />
      <ChoiceField
        label="Then use"
        disabled={isReadOnly}
        value={rule.isByPolicy ? 'policy' : 'steps'}
        onChange={(value) => put({ isByPolicy: value === 'policy' })}
        data={[
          { value: 'steps', label: 'These steps' },
          { value: 'policy', label: 'Steps of another policy' },
        ]}
      />
      {rule.isByPolicy ? (
        <PolicyField
          label="Policy"
          policyId={rule.policyId}
          policyType={policyType}
          onChange={(policyId) => put({ policyId })}
          isReadOnly={isReadOnly}
          error={problem(`rules[${place}]`)}
        />
      ) : (
        <StepList
          label={`Steps of rule ${place + 1}`}
          steps={rule.steps}
          onChange={(steps) => put({ steps })}
          policyType={policyType}
          isReadOnly={isReadOnly}
          problem={(field) => problem(`policySteps.${stepsKey}.steps${field}`)}
        />
      )}
    </Stack>
  )
}
