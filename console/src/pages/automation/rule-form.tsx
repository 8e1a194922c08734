import { Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { AutomationExample } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { Chosen } from '../../parts/chosen.tsx'
import { EntitlementName } from '../../parts/entitlement-name.tsx'
import { EntitlementPicker } from '../../parts/entitlement-picker.tsx'
import { ExpressionField } from '../../parts/expression-field.tsx'
import type { Draft, RuleKind } from './draft.ts'
import { Examples } from './examples.tsx'
import { ExpressionHelp, ruleWords } from './expression-help.tsx'
import type { Of } from './reads.ts'
import { useValues } from './values.ts'

type RuleFormProps = {
  of: Of
  draft: Draft
  onChange: (draft: Draft) => void
  /** The error that the API returned for this draft. */
  error: unknown
  /** The examples, with their results in the plan. */
  checked: readonly AutomationExample[]
  isReadOnly: boolean
  /** The form was just opened: the focus moves to its first field. */
  isAutoFocused: boolean
}

const kinds: readonly { value: RuleKind; label: string }[] = [
  { value: 'expression', label: 'Expression' },
  { value: 'entitlements', label: 'Entitlements' },
  { value: 'none', label: 'Nobody' },
]

/** Whom a rule grants an entitlement to. */
export function RuleForm({ of, draft, onChange, error, checked, isReadOnly, isAutoFocused }: RuleFormProps): ReactNode {
  const change = (changes: Partial<Draft>): void => onChange({ ...draft, ...changes })
  const completing = useValues(of)
  return (
    <Stack gap="md">
      <ChoiceField
        label="Kind of rule"
        fullWidth
        data={[...kinds]}
        value={draft.kind}
        readOnly={isReadOnly}
        onChange={(kind) => change({ kind })}
      />
      {draft.kind === 'expression' && (
        <>
          <ExpressionField
            {...ruleWords}
            {...completing}
            value={draft.expression}
            onChange={(expression) => change({ expression })}
            error={error}
            field={`automation.${draft.expressionField}.expression`}
            isReadOnly={isReadOnly}
            isAutoFocused={isAutoFocused}
          />
          {!isReadOnly && <ExpressionHelp onTake={(expression) => change({ expression })} />}
        </>
      )}
      {draft.kind === 'entitlements' && (
        <Refs of={of} draft={draft} change={change} error={error} isReadOnly={isReadOnly} />
      )}
      {draft.kind === 'none' && (
        <Text size="sm" c="dimmed">
          Nobody matches: everything that the rule granted is revoked. To keep these grants, delete the rule instead.
        </Text>
      )}
      <Examples
        draft={draft}
        onChange={(examples) => change({ examples })}
        checked={checked}
        error={error}
        isReadOnly={isReadOnly}
      />
      {(!isReadOnly || draft.displayName) && (
        <TextInput
          label="Name"
          placeholder="Optional"
          maxLength={200}
          readOnly={isReadOnly}
          value={draft.displayName}
          onChange={({ currentTarget: { value } }) => change({ displayName: value })}
          error={problemOf(error, 'automation.displayName')}
        />
      )}
      {(!isReadOnly || draft.description) && (
        <Textarea
          label="Description"
          placeholder="Optional"
          autosize
          minRows={1}
          maxRows={6}
          maxLength={4000}
          readOnly={isReadOnly}
          value={draft.description}
          onChange={({ currentTarget: { value } }) => change({ description: value })}
          error={problemOf(error, 'automation.description')}
        />
      )}
    </Stack>
  )
}

type RefsProps = Omit<RuleFormProps, 'onChange' | 'isAutoFocused' | 'checked'> & {
  change: (changes: Partial<Draft>) => void
}

/** Entitlements: a rule matches everyone who holds any of them. */
function Refs({ of, draft: { refs }, change, error, isReadOnly }: RefsProps): ReactNode {
  return (
    <Stack gap="xs">
      {isReadOnly ? (
        <Text size="sm">People with any of these:</Text>
      ) : (
        <EntitlementPicker
          label="Entitlements"
          description="People who have any of these are granted this entitlement, too."
          // Not its own entitlement: the rule would keep the access that it granted itself.
          without={[...refs, { appId: of.appId, id: of.entitlementId }]}
          error={problemOf(error, 'automation.entitlements.entitlementRefs')}
          onPick={({ entitlement: { appId, id } }) => change({ refs: [...refs, { appId, id }] })}
        />
      )}
      <Chosen
        items={refs}
        keyOf={({ appId, id }) => `${appId} ${id}`}
        nameOf={({ id }) => id}
        onRemove={isReadOnly ? undefined : (gone) => change({ refs: refs.filter((ref) => ref !== gone) })}
      >
        {({ appId, id }) => <EntitlementName appId={appId} entitlementId={id} />}
      </Chosen>
    </Stack>
  )
}
