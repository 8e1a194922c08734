import { Button, Menu, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { moveActions, moved } from '../../parts/move.ts'
import { RowActions } from '../../parts/row-actions.tsx'
import { type Keyed, keyed } from './draft.ts'
import classes from './policy-page.module.css'
import { kindNames, kindOf, stepKinds } from './step-kinds.ts'
import { StepSettings } from './step-settings.tsx'
import { titleOf } from './words.ts'

type StepListProps = {
  label: string
  steps: readonly Keyed[]
  onChange: (steps: readonly Keyed[]) => void
  policyType: string
  isReadOnly: boolean
  /** What the API said of a field of one of these steps: its whole path behind `steps`, as in `[0].approval`. */
  problem: (field: string) => string | undefined
}

/** The steps that are taken one after the other. */
export function StepList({ label, steps, onChange, policyType, isReadOnly, problem }: StepListProps): ReactNode {
  const kinds = kindNames.filter((kind) => kind !== 'provision' || policyType !== 'POLICY_TYPE_CERTIFY')
  return (
    <div>
      <ol className={classes.steps} aria-label={label}>
        {steps.map(({ key, step }, place) => {
          const name = `step ${place + 1}, ${stepKinds[kindOf(step)].words}`
          const wrong = problem(`[${place}]`)
          return (
            <li key={key} className={classes.step}>
              <div className={classes.stepTop}>
                <span className={classes.number} aria-hidden>
                  {place + 1}
                </span>
                <h3 className={classes.stepTitle}>{titleOf(step)}</h3>
                {!isReadOnly && (
                  <RowActions
                    actions={[
                      ...moveActions({
                        name,
                        place,
                        count: steps.length,
                        move: (by) => onChange(moved(steps, place, by)),
                      }),
                      {
                        label: 'Remove',
                        name: `Remove ${name}`,
                        icon: IconTrash,
                        onClick: () => onChange(steps.filter((each) => each.key !== key)),
                      },
                    ]}
                  />
                )}
              </div>
              {wrong && (
                <Text size="sm" c="var(--mantine-color-error)" role="alert" mb="xs" data-wrong>
                  {wrong}
                </Text>
              )}
              <details className={classes.settings} open={!isReadOnly && kindOf(step) !== 'provision'}>
                <summary>Settings</summary>
                <StepSettings
                  step={step}
                  onChange={(changed) =>
                    onChange(steps.map((each) => (each.key === key ? { key, step: changed } : each)))
                  }
                  isReadOnly={isReadOnly}
                  policyType={policyType}
                  problem={(field) => problem(`[${place}].${field}`)}
                />
              </details>
            </li>
          )
        })}
      </ol>
      {!isReadOnly && (
        <Menu position="bottom-start">
          <Menu.Target>
            <Button size="xs" variant="default" leftSection={<IconPlus size={14} aria-hidden />}>
              Add step
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {kinds.map((kind) => (
              <Menu.Item key={kind} onClick={() => onChange([...steps, keyed(stepKinds[kind].first)])}>
                {stepKinds[kind].words}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  )
}
