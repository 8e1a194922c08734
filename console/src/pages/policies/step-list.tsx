import { Button, Menu, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { listActions } from '../../parts/move.ts'
import { type Keyed, keyed } from './draft.ts'
import { NumberedItem } from './numbered-item.tsx'
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
  /** The API's error for a field of one of these steps, by its path after `steps`, as in `[0].approval`. */
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
            <NumberedItem
              key={key}
              place={place}
              title={titleOf(step)}
              actions={isReadOnly ? null : listActions({ list: steps, place, name, onChange })}
            >
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
            </NumberedItem>
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
