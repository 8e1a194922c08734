import { Badge, Button, Checkbox, Code, Group, Text, Textarea, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  appEntitlementRoutingRuleCreateAppEntitlementRoutingRule,
  appEntitlementRoutingRuleDeleteAppEntitlementRoutingRule,
  appEntitlementRoutingRuleListAppEntitlementRoutingRules,
  appEntitlementRoutingRuleReorderAppEntitlementRoutingRules,
  appEntitlementRoutingRuleUpdateAppEntitlementRoutingRule,
  policiesGet,
  requestSchemaGet,
  requestTermsGet,
} from '#client/api/operations.ts'
import type { AppEntitlementRoutingRule, AppEntitlementRoutingRuleSettings } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { read, useChange } from '../../client/queries.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { durationWords } from '../../parts/durations.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { Named } from '../../parts/named.tsx'
import { Panel } from '../../parts/panel.tsx'
import { RowActions } from '../../parts/row-actions.tsx'
import { Summary } from '../../parts/summary.tsx'
import classes from '../policies/policy-page.module.css'
import { type RequestTerms, TermsFields } from './terms-fields.tsx'

const changes = [appEntitlementRoutingRuleListAppEntitlementRoutingRules, requestTermsGet]

/** Which settings apply to which entitlements of an app: the first rule whose condition is true decides. */
export function RoutingRules({ appId, isReadOnly }: { appId: string; isReadOnly: boolean }): ReactNode {
  const { data, error, refetch } = useQuery(
    read(appEntitlementRoutingRuleListAppEntitlementRoutingRules, { path: { app_id: appId } }),
  )
  const rules = data?.list ?? []
  const [editing, setEditing] = useState<AppEntitlementRoutingRule | 'new' | null>(null)
  const [deleting, setDeleting] = useState<AppEntitlementRoutingRule | null>(null)
  const reorder = useChange(appEntitlementRoutingRuleReorderAppEntitlementRoutingRules, { changes })
  const remove = useChange(appEntitlementRoutingRuleDeleteAppEntitlementRoutingRule, {
    changes,
    done: 'Deleted',
    onDone: () => setDeleting(null),
  })
  const move = (place: number, by: number): void => {
    const ruleIds = rules.map(({ id }) => id)
    const [id] = ruleIds.splice(place, 1)
    if (id) ruleIds.splice(place + by, 0, id)
    reorder.mutate({ path: { app_id: appId }, body: { ruleIds } })
  }
  return (
    <Panel
      title="Routing rules"
      about="Settings for entitlements of the app that match a condition. The first matching rule applies."
      actions={
        !isReadOnly && (
          <Button size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setEditing('new')}>
            Create rule
          </Button>
        )
      }
    >
      <ErrorNote error={error ?? reorder.error} retry={() => void refetch()} />
      {data && rules.length === 0 && (
        <Text size="sm" c="dimmed">
          No routing rules. The settings of each entitlement apply, and then the defaults below.
        </Text>
      )}
      <ol className={classes.steps} aria-label="Routing rules">
        {rules.map((rule, place) => (
          <li key={rule.id} className={classes.step}>
            <div className={classes.stepTop}>
              <span className={classes.number} aria-hidden>
                {place + 1}
              </span>
              <h3 className={classes.stepTitle}>
                {rule.displayName} {!rule.enabled && <Badge ml="xs">Disabled</Badge>}
              </h3>
              {!isReadOnly && (
                <RowActions
                  actions={[
                    {
                      label: 'Move up',
                      name: `Move ${rule.displayName} up`,
                      icon: IconArrowUp,
                      isDisabled: place === 0 || reorder.isPending,
                      onClick: () => move(place, -1),
                    },
                    {
                      label: 'Move down',
                      name: `Move ${rule.displayName} down`,
                      icon: IconArrowDown,
                      isDisabled: place === rules.length - 1 || reorder.isPending,
                      onClick: () => move(place, 1),
                    },
                    {
                      label: 'Edit',
                      name: `Edit ${rule.displayName}`,
                      icon: IconPencil,
                      onClick: () => setEditing(rule),
                    },
                    {
                      label: 'Delete',
                      name: `Delete ${rule.displayName}`,
                      icon: IconTrash,
                      onClick: () => setDeleting(rule),
                    },
                  ]}
                />
              )}
            </div>
            {rule.description && (
              <Text size="sm" c="dimmed" mb={4}>
                {rule.description}
              </Text>
            )}
            {rule.condition ? <Code>{rule.condition}</Code> : <Text size="sm">Every entitlement of the app</Text>}
            <RuleSettings settings={rule.settings} />
          </li>
        ))}
      </ol>
      {editing && <RuleForm appId={appId} rule={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
      {deleting && (
        <Confirm
          opened
          onClose={() => setDeleting(null)}
          title={`Delete ${deleting.displayName}?`}
          verb="Delete rule"
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ path: { app_id: appId, id: deleting.id } })}
        >
          Open requests keep the steps that they started with.
        </Confirm>
      )}
    </Panel>
  )
}

/** What a rule sets, in a line or two. */
function RuleSettings({ settings }: { settings: AppEntitlementRoutingRuleSettings | null }): ReactNode {
  const { requestPolicyId = '', requestSchemaId = '', emergencyGrantEnabled = false } = settings ?? {}
  const policy = useQuery({
    ...read(policiesGet, { path: { id: requestPolicyId } }),
    enabled: requestPolicyId !== '',
  })
  const form = useQuery({
    ...read(requestSchemaGet, { path: { request_schema_id: requestSchemaId } }),
    enabled: requestSchemaId !== '',
  })
  return (
    <Summary
      facts={[
        [
          'Policy',
          requestPolicyId && (
            <Named
              key="policy"
              isQuiet
              label={policy.data?.policy?.displayName ?? requestPolicyId}
              to={`/policies/${requestPolicyId}`}
            />
          ),
        ],
        [
          'Form',
          requestSchemaId && (
            <Named
              key="form"
              isQuiet
              label={form.data?.requestSchema?.form?.displayName ?? requestSchemaId}
              to={`/forms/${requestSchemaId}`}
            />
          ),
        ],
        ['Maximum duration', settings?.maxGrantDuration && durationWords(settings.maxGrantDuration)],
        ['In an emergency', emergencyGrantEnabled ? 'Can be requested' : 'No'],
      ]}
    />
  )
}

type RuleFormProps = { appId: string; rule: AppEntitlementRoutingRule | null; onClose: () => void }

function RuleForm({ appId, rule, onClose }: RuleFormProps): ReactNode {
  const [displayName, setDisplayName] = useState(rule?.displayName ?? '')
  const [description, setDescription] = useState(rule?.description ?? '')
  const [condition, setCondition] = useState(rule?.condition ?? '')
  const [enabled, setEnabled] = useState(rule?.enabled ?? true)
  const [terms, setTerms] = useState<RequestTerms>({
    requestPolicyId: rule?.settings?.requestPolicyId ?? '',
    requestSchemaId: rule?.settings?.requestSchemaId ?? '',
    emergencyGrantEnabled: rule?.settings?.emergencyGrantEnabled ?? false,
    emergencyGrantPolicyId: rule?.settings?.emergencyGrantPolicyId ?? '',
    max: rule?.settings?.maxGrantDuration ?? null,
  })
  const done = { changes, done: 'Saved', onDone: onClose }
  const create = useChange(appEntitlementRoutingRuleCreateAppEntitlementRoutingRule, done)
  const update = useChange(appEntitlementRoutingRuleUpdateAppEntitlementRoutingRule, done)
  const { error, isPending } = rule ? update : create
  const { max, ...settings } = terms
  const body = {
    displayName: displayName.trim(),
    description,
    condition: condition.trim(),
    enabled,
    settings: { ...settings, maxGrantDuration: max },
  }
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
      <TextInput
        label="Name"
        required
        data-autofocus
        maxLength={200}
        value={displayName}
        onChange={({ currentTarget: { value } }) => setDisplayName(value)}
        error={problemOf(error, 'displayName')}
      />
      <TextInput
        label="Description"
        maxLength={10_000}
        value={description}
        onChange={({ currentTarget: { value } }) => setDescription(value)}
        error={problemOf(error, 'description')}
      />
      <Textarea
        label="Condition"
        description="A CEL expression about entitlement. If empty, the rule applies to every entitlement of the app."
        placeholder={'entitlement.displayName.startsWith("Admin")'}
        autosize
        minRows={1}
        spellCheck={false}
        value={condition}
        onChange={({ currentTarget: { value } }) => setCondition(value)}
        error={problemOf(error, 'condition')}
      />
      <Text size="sm" c="dimmed">
        Settings that are empty here come from the entitlement, and then from the defaults of the app.
      </Text>
      <TermsFields
        appId={appId}
        terms={terms}
        onChange={setTerms}
        isReadOnly={false}
        problem={(field) => problemOf(error, `settings.${field}`)}
      />
      <Group>
        <Checkbox
          label="Enabled"
          checked={enabled}
          onChange={({ currentTarget: { checked } }) => setEnabled(checked)}
        />
      </Group>
    </FormModal>
  )
}
