import { Checkbox, Group, NumberInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { AppEntitlementRef, BundleAutomation } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { EntitlementName } from '../../parts/entitlement-name.tsx'
import { EntitlementPicker } from '../../parts/entitlement-picker.tsx'
import { ExpressionField } from '../../parts/expression-field.tsx'
import { RowActions } from '../../parts/row-actions.tsx'
import { ExpressionHelp, ruleWords } from '../automation/expression-help.tsx'

/** An automation as it is edited. */
export const draftOf = (automation: BundleAutomation | null) => ({
  isByHolding: automation?.entitlements !== null && automation !== null,
  refs: (automation?.entitlements?.entitlementRefs ?? []) as readonly AppEntitlementRef[],
  expression: automation?.cel?.expression ?? '',
  enabled: automation?.enabled ?? true,
  createTasks: automation?.createTasks ?? false,
  isUnheld: automation?.disableCircuitBreaker ?? false,
  percent: (Number(automation?.removedMembersThresholdPercent ?? 0) || 20) as number | string,
  holdsSmall: automation?.enforceOnSmallProfiles ?? false,
})
export type Draft = ReturnType<typeof draftOf>

export const bodyOf = ({ isByHolding, refs, expression, enabled, createTasks, ...draft }: Draft) => ({
  ...(isByHolding ? { entitlements: { entitlementRefs: [...refs] } } : { cel: { expression } }),
  enabled,
  createTasks,
  disableCircuitBreaker: draft.isUnheld,
  removedMembersThresholdPercent: String(draft.percent),
  enforceOnSmallProfiles: draft.holdsSmall,
})

type FieldsProps = {
  draft: Draft
  onChange: (changed: Partial<Draft>) => void
  isReadOnly: boolean
  error: unknown
}

/** Who becomes a member. */
export function Criteria({ draft, onChange, isReadOnly, error }: FieldsProps): ReactNode {
  return (
    <>
      <ChoiceField
        label="By"
        disabled={isReadOnly}
        value={draft.isByHolding ? 'holding' : 'cel'}
        onChange={(value) => onChange({ isByHolding: value === 'holding' })}
        data={[
          { value: 'cel', label: 'Expression' },
          { value: 'holding', label: 'Entitlements' },
        ]}
      />
      {draft.isByHolding ? (
        <>
          {draft.refs.map((ref) => (
            <Group key={`${ref.appId} ${ref.id}`} gap="xs">
              <EntitlementName appId={ref.appId} entitlementId={ref.id} />
              {!isReadOnly && (
                <RowActions
                  actions={[
                    {
                      label: 'Remove',
                      name: `Remove ${ref.id}`,
                      icon: IconTrash,
                      onClick: () => onChange({ refs: draft.refs.filter((each) => each !== ref) }),
                    },
                  ]}
                />
              )}
            </Group>
          ))}
          {!isReadOnly && (
            <EntitlementPicker
              label="People with any of these are members"
              without={draft.refs}
              onPick={({ entitlement: { appId, id } }) => onChange({ refs: [...draft.refs, { appId, id }] })}
              error={problemOf(error, 'entitlements')}
            />
          )}
        </>
      ) : (
        <>
          <ExpressionField
            {...ruleWords}
            value={draft.expression}
            onChange={(expression) => onChange({ expression })}
            error={error}
            field="cel.expression"
            isReadOnly={isReadOnly}
          />
          {!isReadOnly && <ExpressionHelp onTake={(expression) => onChange({ expression })} />}
        </>
      )}
    </>
  )
}

/** When and how it runs, and which runs are held. */
export function Limits({ draft, onChange, isReadOnly, error }: FieldsProps): ReactNode {
  return (
    <>
      <Checkbox
        label="Enabled"
        disabled={isReadOnly}
        checked={draft.enabled}
        onChange={({ currentTarget: { checked } }) => onChange({ enabled: checked })}
      />
      <Checkbox
        label="Request membership under its policy instead of granting it"
        disabled={isReadOnly}
        checked={draft.createTasks}
        onChange={({ currentTarget: { checked } }) => onChange({ createTasks: checked })}
      />
      <Checkbox
        label="Never hold runs, however many members they remove"
        disabled={isReadOnly}
        checked={draft.isUnheld}
        onChange={({ currentTarget: { checked } }) => onChange({ isUnheld: checked })}
      />
      {!draft.isUnheld && (
        <>
          <NumberInput
            label="Hold runs that remove more than this percentage of the members"
            min={1}
            max={100}
            allowDecimal={false}
            disabled={isReadOnly}
            value={draft.percent}
            onChange={(percent) => onChange({ percent })}
            error={problemOf(error, 'removedMembersThresholdPercent')}
            maw="16rem"
          />
          <Checkbox
            label="Also for profiles with fewer than 20 members"
            disabled={isReadOnly}
            checked={draft.holdsSmall}
            onChange={({ currentTarget: { checked } }) => onChange({ holdsSmall: checked })}
          />
        </>
      )}
    </>
  )
}
