import { Checkbox, Group, Text, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import {
  appEntitlementRoutingRuleCreateAppEntitlementRoutingRule,
  appEntitlementRoutingRuleListAppEntitlementRoutingRules,
  appEntitlementRoutingRuleUpdateAppEntitlementRoutingRule,
  requestTermsGet,
} from '#client/api/operations.ts'
import type { AppEntitlementRoutingRule } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { FormModal } from '../../parts/form-modal.tsx'
import { NameField } from '../../parts/name-fields.tsx'
import { type RequestTerms, TermsFields } from './terms-fields.tsx'
/** What shows other rules when one has changed. */
export const changes = [appEntitlementRoutingRuleListAppEntitlementRoutingRules, requestTermsGet]

/** A rule as it is typed. */
const draftOf = (rule: AppEntitlementRoutingRule | null) => ({
  displayName: rule?.displayName ?? '',
  description: rule?.description ?? '',
  condition: rule?.condition ?? '',
  enabled: rule?.enabled ?? true,
  terms: {
    requestPolicyId: rule?.settings?.requestPolicyId ?? '',
    requestSchemaId: rule?.settings?.requestSchemaId ?? '',
    emergencyGrantEnabled: rule?.settings?.emergencyGrantEnabled ?? false,
    emergencyGrantPolicyId: rule?.settings?.emergencyGrantPolicyId ?? '',
    max: rule?.settings?.maxGrantDuration ?? null,
  } as RequestTerms,
})

function bodyOf({ terms: { max, ...settings }, ...draft }: ReturnType<typeof draftOf>) {
  return {
    ...draft,
    displayName: draft.displayName.trim(),
    condition: draft.condition.trim(),
    settings: { ...settings, maxGrantDuration: max },
  }
}

type RoutingRuleFormProps = { appId: string; rule: AppEntitlementRoutingRule | null; onClose: () => void }

export function RoutingRuleForm({ appId, rule, onClose }: RoutingRuleFormProps): ReactNode {
  const [draft, setDraft] = useState(() => draftOf(rule))
  const set = (changed: Partial<typeof draft>): void => setDraft((before) => ({ ...before, ...changed }))
  const done = { changes, done: 'Saved', onDone: onClose }
  const create = useChange(appEntitlementRoutingRuleCreateAppEntitlementRoutingRule, done)
  const update = useChange(appEntitlementRoutingRuleUpdateAppEntitlementRoutingRule, done)
  const { error, isPending } = rule ? update : create
  const body = bodyOf(draft)
  return (
    <FormModal
      opened
      onClose={onClose}
      title={rule ? `Edit ${rule.displayName}` : 'New routing rule'}
      verb="Save"
      isIncomplete={body.displayName === ''}
      isPending={isPending}
      error={error}
      fields={['displayName', 'description', 'condition']}
      onSubmit={() =>
        rule
          ? update.mutate({ path: { app_id: appId, id: rule.id }, body })
          : create.mutate({ path: { app_id: appId }, body })
      }
    >
      <NameField
        value={draft.displayName}
        onChange={(displayName) => set({ displayName })}
        error={problemOf(error, 'displayName')}
      />
      <TextInput
        label="Description"
        maxLength={10_000}
        value={draft.description}
        onChange={({ currentTarget: { value } }) => set({ description: value })}
        error={problemOf(error, 'description')}
      />
      <Textarea
        label="Condition"
        description="A CEL expression about entitlement. If empty, the rule applies to every entitlement of the app."
        placeholder={'entitlement.displayName.startsWith("Admin")'}
        autosize
        minRows={1}
        spellCheck={false}
        value={draft.condition}
        onChange={({ currentTarget: { value } }) => set({ condition: value })}
        error={problemOf(error, 'condition')}
      />
      <Text size="sm" c="dimmed">
        Settings that are empty here come from the entitlement, and then from the defaults of the app.
      </Text>
      <TermsFields
        appId={appId}
        terms={draft.terms}
        onChange={(terms) => set({ terms })}
        isReadOnly={false}
        problem={(field) => problemOf(error, `settings.${field}`)}
      />
      <Group>
        <Checkbox
          label="Enabled"
          checked={draft.enabled}
          onChange={({ currentTarget: { checked } }) => set({ enabled: checked })}
        />
      </Group>
    </FormModal>
  )
}
