import { Badge, Button, Code, Text } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  appEntitlementRoutingRuleDeleteAppEntitlementRoutingRule,
  appEntitlementRoutingRuleListAppEntitlementRoutingRules,
  appEntitlementRoutingRuleReorderAppEntitlementRoutingRules,
  policiesGet,
  requestSchemaGet,
} from '#client/api/operations.ts'
import type { AppEntitlementRoutingRule, AppEntitlementRoutingRuleSettings } from '#client/api/types.ts'
import { read, useChange } from '../../client/queries.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { durationWords } from '../../parts/durations.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { moveActions, moved } from '../../parts/move.ts'
import { Named } from '../../parts/named.tsx'
import { Panel } from '../../parts/panel.tsx'
import type { RowAction } from '../../parts/row-actions.tsx'
import { Summary } from '../../parts/summary.tsx'
import { NumberedItem } from '../policies/numbered-item.tsx'
import classes from '../policies/policy-page.module.css'
import { changes, RoutingRuleForm } from './routing-rule-form.tsx'

/** Which settings apply to which entitlements of an app: the first rule whose condition is true decides. */
export function RoutingRules({ appId, isReadOnly }: { appId: string; isReadOnly: boolean }): ReactNode {
  const { data, error, refetch } = useQuery(
    read(appEntitlementRoutingRuleListAppEntitlementRoutingRules, { path: { app_id: appId } }),
  )
  const rules = data?.list ?? []
  const [editing, setEditing] = useState<AppEntitlementRoutingRule | 'new' | null>(null)
  const [deleting, setDeleting] = useState<AppEntitlementRoutingRule | null>(null)
  const reorder = useChange(appEntitlementRoutingRuleReorderAppEntitlementRoutingRules, { changes })
  const move = (place: number, by: number): void =>
    reorder.mutate({ path: { app_id: appId }, body: { ruleIds: moved(rules, place, by).map(({ id }) => id) } })
  const actionsOf = (rule: AppEntitlementRoutingRule, place: number): RowAction[] => [
    ...moveActions({
      name: rule.displayName,
      place,
      count: rules.length,
      move: (by) => move(place, by),
      isDisabled: reorder.isPending,
    }),
    { label: 'Edit', name: `Edit ${rule.displayName}`, icon: IconPencil, onClick: () => setEditing(rule) },
    { label: 'Delete', name: `Delete ${rule.displayName}`, icon: IconTrash, onClick: () => setDeleting(rule) },
  ]
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
          <NumberedItem
            key={rule.id}
            place={place}
            title={
              <>
                {rule.displayName} {!rule.enabled && <Badge ml="xs">Disabled</Badge>}
              </>
            }
            actions={isReadOnly ? null : actionsOf(rule, place)}
          >
            {rule.description && (
              <Text size="sm" c="dimmed" mb={4}>
                {rule.description}
              </Text>
            )}
            {rule.condition ? <Code>{rule.condition}</Code> : <Text size="sm">Every entitlement of the app</Text>}
            <RuleSettings settings={rule.settings} />
          </NumberedItem>
        ))}
      </ol>
      {editing && (
        <RoutingRuleForm appId={appId} rule={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
      {deleting && <DeleteRule appId={appId} rule={deleting} onClose={() => setDeleting(null)} />}
    </Panel>
  )
}

type DeleteRuleProps = { appId: string; rule: AppEntitlementRoutingRule; onClose: () => void }

function DeleteRule({ appId, rule, onClose }: DeleteRuleProps): ReactNode {
  const remove = useChange(appEntitlementRoutingRuleDeleteAppEntitlementRoutingRule, {
    changes,
    done: 'Deleted',
    onDone: onClose,
  })
  return (
    <Confirm
      opened
      onClose={onClose}
      title={`Delete ${rule.displayName}?`}
      verb="Delete rule"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ path: { app_id: appId, id: rule.id } })}
    >
      Open requests keep the steps that they started with.
    </Confirm>
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
