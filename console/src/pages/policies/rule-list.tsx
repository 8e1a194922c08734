import { Button, SegmentedControl, Stack } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Label } from '../../parts/label.tsx'
import { moveActions, moved } from '../../parts/move.ts'
import { RowActions } from '../../parts/row-actions.tsx'
import { CelField } from './cel-field.tsx'
import { type DraftRule, newRule, type PolicyType } from './draft.ts'
import { PolicyField } from './policy-field.tsx'
import classes from './policy-page.module.css'
import { StepList } from './step-list.tsx'

type RuleListProps = {
  rules: readonly DraftRule[]
  /** The keys under which the steps of each are sent. */
  keys: readonly string[]
  onChange: (rules: readonly DraftRule[]) => void
  policyType: PolicyType
  isReadOnly: boolean
  problem: (field: string) => string | undefined
}

const rulesMax = 16

/** Conditions under which other steps are taken: the first that is true decides. */
export function RuleList({ rules, keys, onChange, policyType, isReadOnly, problem }: RuleListProps): ReactNode {
  const put = (key: number, changes: Partial<DraftRule>): void =>
    onChange(rules.map((rule) => (rule.key === key ? { ...rule, ...changes } : rule)))
  return (
    <div>
      <ol className={classes.steps} aria-label="Rules">
        {rules.map((rule, place) => {
          const name = `rule ${place + 1}`
          return (
            <li key={rule.key} className={classes.step}>
              <div className={classes.stepTop}>
                <span className={classes.number} aria-hidden>
                  {place + 1}
                </span>
                <h3 className={classes.stepTitle}>If</h3>
                {!isReadOnly && (
                  <RowActions
                    actions={[
                      ...moveActions({
                        name,
                        place,
                        count: rules.length,
                        move: (by) => onChange(moved(rules, place, by)),
                      }),
                      {
                        label: 'Remove',
                        name: `Remove ${name}`,
                        icon: IconTrash,
                        onClick: () => onChange(rules.filter(({ key }) => key !== rule.key)),
                      },
                    ]}
                  />
                )}
              </div>
              <Stack gap="sm">
                <CelField
                  label="Condition"
                  description="A CEL expression that returns true or false. It can use subject, account, entitlement, task and ip."
                  placeholder={'subject.department == "Engineering"'}
                  value={rule.condition}
                  onChange={(condition) => put(rule.key, { condition })}
                  isReadOnly={isReadOnly}
                  error={problem(`rules[${place}].condition`) ?? problem(`rules[${place}]`)}
                />
                <Label text="Then use">
                  {(id) => (
                    <SegmentedControl
                      aria-labelledby={id}
                      disabled={isReadOnly}
                      value={rule.isByPolicy ? 'policy' : 'steps'}
                      onChange={(value) => put(rule.key, { isByPolicy: value === 'policy' })}
                      data={[
                        { value: 'steps', label: 'These steps' },
                        { value: 'policy', label: 'Steps of another policy' },
                      ]}
                    />
                  )}
                </Label>
                {rule.isByPolicy ? (
                  <PolicyField
                    label="Policy"
                    policyId={rule.policyId}
                    policyType={policyType}
                    onChange={(policyId) => put(rule.key, { policyId })}
                    isReadOnly={isReadOnly}
                    error={problem(`rules[${place}]`)}
                  />
                ) : (
                  <StepList
                    label={`Steps of ${name}`}
                    steps={rule.steps}
                    onChange={(steps) => put(rule.key, { steps })}
                    policyType={policyType}
                    isReadOnly={isReadOnly}
                    problem={(field) => problem(`policySteps.${keys[place]}.steps${field}`)}
                  />
                )}
              </Stack>
            </li>
          )
        })}
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
