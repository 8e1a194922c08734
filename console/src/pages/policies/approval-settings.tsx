import { Checkbox, NativeSelect, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { EntitlementName } from '../../parts/entitlement-name.tsx'
import { EntitlementPicker } from '../../parts/entitlement-picker.tsx'
import { UserListField } from '../../parts/user-list-field.tsx'
import { WebhookField } from '../webhooks/webhook-field.tsx'
import type { DraftApproval } from './draft.ts'
import { EntitlementListField } from './entitlement-list-field.tsx'
import { EscalationSettings } from './escalation-settings.tsx'
import { ExpressionsField } from './expressions-field.tsx'
import classes from './policy-page.module.css'

const kinds = [
  ['manager', 'The manager of the person'],
  ['appOwners', 'An owner of the app'],
  ['entitlementOwners', 'An owner of the entitlement'],
  ['resourceOwners', 'An owner of the resource'],
  ['users', 'Named people'],
  ['group', 'Everyone with an entitlement'],
  ['self', 'The person who gets the access'],
  ['expression', 'People returned by an expression'],
  ['webhook', 'Another system (webhook)'],
] as const
type Kind = (typeof kinds)[number][0]

/** What several kinds have in common; which have what is in the API's document. */
type Of = {
  allowSelfApproval?: boolean | null
  requireDistinctApprovers?: boolean | null
  fallback?: boolean | null
  fallbackUserIds?: string[] | null
  isGroupFallbackEnabled?: boolean | null
  fallbackGroupIds?: { appId?: string | null; appEntitlementId?: string | null }[] | null
}

const kindOfApproval = (approval: DraftApproval): Kind => kinds.find(([kind]) => approval[kind])?.[0] ?? 'manager'

type ApprovalSettingsProps = {
  approval: DraftApproval
  onChange: (approval: DraftApproval) => void
  isReadOnly: boolean
  policyType: string
  problem: (field: string) => string | undefined
}

const flags = [
  ['requireApprovalReason', 'Approving requires a reason'],
  ['requireDenialReason', 'Denying requires a reason'],
  ['allowDelegation', 'Delegates can decide for the approvers'],
  ['allowReassignment', 'Approvers can reassign the step'],
] as const

/** Who approves, and by which rules. */
export function ApprovalSettings({ approval, onChange, ...props }: ApprovalSettingsProps): ReactNode {
  const { isReadOnly, problem } = props
  const kind = kindOfApproval(approval)
  const of = (approval[kind] ?? {}) as Of
  const setOf = (changes: object): void => onChange({ ...approval, [kind]: { ...of, ...changes } })
  const set = (changes: Partial<DraftApproval>): void => onChange({ ...approval, ...changes })
  const box = (label: string, checked: boolean, onChecked: (checked: boolean) => void): ReactNode => (
    <Checkbox
      key={label}
      label={label}
      checked={checked}
      disabled={isReadOnly}
      onChange={({ currentTarget }) => onChecked(currentTarget.checked)}
    />
  )
  return (
    <Stack gap="sm">
      <KindField
        kind={kind}
        onChange={(chosen) => {
          const cleared = Object.fromEntries(kinds.map(([each]) => [each, null]))
          onChange({ ...approval, ...cleared, [chosen]: {} })
        }}
        isReadOnly={isReadOnly}
      />
      <Approvers kind={kind} approval={approval} onChange={setOf} isReadOnly={isReadOnly} problem={problem} />
      {kind !== 'self' && kind !== 'webhook' && (
        <>
          {box('People can approve their own requests', of.allowSelfApproval ?? false, (allowSelfApproval) =>
            setOf({ allowSelfApproval }),
          )}
          {box('Not someone who approved an earlier step', of.requireDistinctApprovers ?? false, (on) =>
            setOf({ requireDistinctApprovers: on }),
          )}
        </>
      )}
      {flags.map(([name, label]) => box(label, approval[name] === true, (on) => set({ [name]: on })))}
      {approval.allowReassignment && (
        <>
          {box('Reassigning requires a reason', approval.requireReassignmentReason ?? false, (on) =>
            set({ requireReassignmentReason: on }),
          )}
          <UserListField
            label="Reassign only to"
            description="If empty, to anyone."
            ids={approval.allowedReassignees ?? []}
            onChange={(allowedReassignees) => set({ allowedReassignees })}
            isReadOnly={isReadOnly}
          />
        </>
      )}
      {kind !== 'users' && kind !== 'appOwners' && kind !== 'webhook' && (
        <>
          {box('If nobody is found, ask others before Super Administrators', of.fallback ?? false, (fallback) =>
            setOf({ fallback }),
          )}
          {of.fallback && (
            <Fallback
              of={of}
              onChange={setOf}
              isReadOnly={isReadOnly}
              problem={(field) => problem(`${kind}.${field}`)}
            />
          )}
        </>
      )}
      {box('Escalate when nobody decides in time', approval.escalationEnabled ?? false, (escalationEnabled) =>
        set({
          escalationEnabled,
          escalation: escalationEnabled ? (approval.escalation ?? { expiration: '259200', skipStep: {} }) : null,
        }),
      )}
      {approval.escalationEnabled && <EscalationSettings approval={approval} set={set} {...props} />}
    </Stack>
  )
}

type KindFieldProps = { kind: Kind; onChange: (kind: string) => void; isReadOnly: boolean }

const KindField = ({ kind, onChange, isReadOnly }: KindFieldProps): ReactNode => (
  <NativeSelect
    label="Who approves"
    description={
      kind === 'webhook'
        ? 'It approves, denies, reassigns or adds steps. If it cannot, Super Administrators decide.'
        : 'Any one of them can decide. If there is nobody, Super Administrators decide.'
    }
    value={kind}
    disabled={isReadOnly}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    data={kinds.map(([value, label]) => ({ value, label }))}
  />
)

type PartProps = {
  onChange: (changes: object) => void
  isReadOnly: boolean
  problem: (field: string) => string | undefined
}

/** The approvers, if the kind alone does not determine them. */
function Approvers(props: PartProps & { kind: Kind; approval: DraftApproval }): ReactNode {
  const { kind, approval, onChange, isReadOnly, problem } = props
  return (
    <>
      {kind === 'users' && (
        <UserListField
          label="People"
          ids={approval.users?.userIds ?? []}
          onChange={(userIds) => onChange({ userIds })}
          isReadOnly={isReadOnly}
          error={problem('users')}
        />
      )}
      {kind === 'group' && (
        <>
          {approval.group?.appGroupId && (
            <Text size="sm" component="div">
              Everyone with{' '}
              <EntitlementName appId={approval.group.appId ?? ''} entitlementId={approval.group.appGroupId} />
            </Text>
          )}
          {!isReadOnly && (
            <EntitlementPicker
              label="Entitlement"
              onPick={({ entitlement }) => onChange({ appId: entitlement.appId, appGroupId: entitlement.id })}
              error={problem('group')}
            />
          )}
        </>
      )}
      {kind === 'expression' && (
        <ExpressionsField
          expressions={approval.expression?.expressions ?? []}
          onChange={(expressions) => onChange({ expressions })}
          isReadOnly={isReadOnly}
          problem={(place) => problem(`expression.expressions${place}`)}
        />
      )}
      {kind === 'webhook' && (
        <WebhookField
          webhookId={approval.webhook?.webhookId ?? ''}
          onChange={(webhookId) => onChange({ webhookId })}
          isReadOnly={isReadOnly}
          error={problem('webhook.webhookId')}
        />
      )}
    </>
  )
}

/** Who is asked if nobody is found. */
const Fallback = ({ of, onChange, isReadOnly, problem }: PartProps & { of: Of }): ReactNode => (
  <Stack gap="sm" className={classes.inner}>
    <UserListField
      label="Ask these people"
      ids={of.fallbackUserIds ?? []}
      onChange={(fallbackUserIds) => onChange({ fallbackUserIds })}
      isReadOnly={isReadOnly}
      error={problem('fallbackUserIds')}
    />
    <Checkbox
      label="Also ask people with an entitlement"
      checked={of.isGroupFallbackEnabled ?? false}
      disabled={isReadOnly}
      onChange={({ currentTarget }) => onChange({ isGroupFallbackEnabled: currentTarget.checked })}
    />
    {of.isGroupFallbackEnabled && (
      <EntitlementListField
        label="Entitlements whose members are asked"
        refs={(of.fallbackGroupIds ?? []).map(({ appId, appEntitlementId }) => ({
          appId: appId ?? '',
          id: appEntitlementId ?? '',
        }))}
        onChange={(refs) =>
          onChange({ fallbackGroupIds: refs.map(({ appId, id }) => ({ appId, appEntitlementId: id })) })
        }
        isReadOnly={isReadOnly}
        error={problem('fallbackGroupIds')}
      />
    )}
  </Stack>
)
