import { Button, NativeSelect, Stack, Text, Textarea } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Assignee } from '#client/api/types.ts'
import type { Sent } from '#client/operation.ts'
import { EntitlementName } from '../../parts/entitlement-name.tsx'
import { EntitlementPicker } from '../../parts/entitlement-picker.tsx'
import { RowActions } from '../../parts/row-actions.tsx'
import { UserListField } from '../../parts/user-list-field.tsx'
import { WebhookField } from '../webhooks/webhook-field.tsx'
import type { DraftProvision } from './draft.ts'
import { ExpressionsField } from './expressions-field.tsx'
import classes from './policy-page.module.css'

/** Nothing is chosen for the entitlement: the connector of the app changes it. */
export const appDecides = 'By the connector; without one, as set for the app'

const kinds = [
  ['manual', 'Manually, by a person'],
  ['delegated', 'With another entitlement'],
  ['webhook', 'By another system (webhook)'],
  ['multiStep', 'In several steps'],
  ['unconfigured', appDecides],
] as const
type Kind = (typeof kinds)[number][0]

const begun: Record<Kind, DraftProvision> = {
  manual: { manual: { assignee: { appOwners: {} } } },
  delegated: { delegated: { appId: '', entitlementId: '' } },
  multiStep: { multiStep: { provisionSteps: [{ manual: { assignee: { appOwners: {} } } }] } },
  unconfigured: { unconfigured: {} },
  webhook: { webhook: { webhookId: '' } },
}

type ProvisionFieldsProps = {
  policy: DraftProvision | null
  onChange: (policy: DraftProvision | null) => void
  label: string
  /** What it means that nothing is set; where something has to be, it is left out. */
  standard?: string
  isReadOnly: boolean
  /** One of several steps: they do not nest. */
  isStep?: boolean
  problem: (field: string) => string | undefined
}

/** How access is carried out. */
export function ProvisionFields({
  policy,
  onChange,
  label,
  standard,
  isReadOnly,
  isStep = false,
  problem,
}: ProvisionFieldsProps): ReactNode {
  const kind = kinds.find(([each]) => policy?.[each])?.[0]
  // Where nothing set means the same, it is offered only where it is set.
  const offered = kinds.filter(
    ([each, words]) => each === kind || !((isStep && each === 'multiStep') || words === standard),
  )
  return (
    <Stack gap="sm">
      <NativeSelect
        label={label}
        value={kind ?? ''}
        disabled={isReadOnly}
        onChange={({ currentTarget: { value } }) => onChange(value === '' ? null : begun[value as Kind])}
        data={[
          ...(standard ? [{ value: '', label: standard }] : []),
          ...offered.map(([value, words]) => ({ value, label: words })),
        ]}
        error={kind ? undefined : problem('manual')}
      />
      {policy?.manual && (
        <ManualFields
          manual={policy.manual}
          onChange={(manual) => onChange({ ...policy, manual })}
          isReadOnly={isReadOnly}
          problem={(field) => problem(`manual.${field}`)}
        />
      )}
      {policy?.delegated && (
        <div>
          {policy.delegated.entitlementId && (
            <Text size="sm" component="div" mb={4}>
              Both are granted and revoked together:{' '}
              <EntitlementName appId={policy.delegated.appId ?? ''} entitlementId={policy.delegated.entitlementId} />
            </Text>
          )}
          {!isReadOnly && (
            <EntitlementPicker
              label="The other entitlement"
              description="It is granted and revoked together with this one."
              onPick={({ entitlement: { appId, id } }) =>
                onChange({ ...policy, delegated: { ...policy.delegated, appId, entitlementId: id } })
              }
              error={problem('delegated')}
            />
          )}
        </div>
      )}
      {policy?.webhook && (
        <WebhookField
          webhookId={policy.webhook.webhookId ?? ''}
          onChange={(webhookId) => onChange({ ...policy, webhook: { webhookId } })}
          isReadOnly={isReadOnly}
          error={problem('webhook.webhookId')}
        />
      )}
      {policy?.multiStep && (
        <StepsFields
          steps={policy.multiStep.provisionSteps ?? []}
          onChange={(provisionSteps) => onChange({ ...policy, multiStep: { ...policy.multiStep, provisionSteps } })}
          isReadOnly={isReadOnly}
          problem={(field) => problem(`multiStep.provisionSteps${field}`)}
        />
      )}
    </Stack>
  )
}

type Manual = NonNullable<DraftProvision['manual']>
type ManualFieldsProps = {
  manual: Manual
  onChange: (manual: Manual) => void
  isReadOnly: boolean
  problem: (field: string) => string | undefined
}

const assignees = [
  ['appOwners', 'An owner of the app'],
  ['entitlementOwners', 'An owner of the entitlement'],
  ['manager', 'The manager of the person'],
  ['users', 'Named people'],
  ['group', 'Everyone with an entitlement'],
  ['expression', 'People returned by an expression'],
] as const
type By = (typeof assignees)[number][0]

/** People can be named in two ways; the older, which names them beside the assignee, is read and not written. */
const assigneeOf = ({ assignee, userIds }: Manual): Sent<Assignee> =>
  userIds && userIds.length > 0 ? { users: { userIds } } : (assignee ?? { appOwners: {} })

function ManualFields({ manual, onChange, isReadOnly, problem }: ManualFieldsProps): ReactNode {
  const assignee = assigneeOf(manual)
  const by: By = assignees.find(([each]) => assignee[each])?.[0] ?? 'appOwners'
  const put = (next: Sent<Assignee>): void => onChange({ ...manual, assignee: next, userIds: [] })
  const set = (changes: object): void => put({ [by]: { ...assignee[by], ...changes } })
  const fallbackUserIds = by === 'users' ? [] : (assignee[by]?.fallbackUserIds ?? [])
  return (
    <>
      <NativeSelect
        label="Provisioned by"
        value={by}
        disabled={isReadOnly}
        onChange={({ currentTarget: { value } }) => put({ [value]: {} })}
        data={assignees.map(([value, words]) => ({ value, label: words }))}
      />
      {by === 'users' && (
        <UserListField
          label="People"
          ids={assignee.users?.userIds ?? []}
          onChange={(userIds) => set({ userIds })}
          isReadOnly={isReadOnly}
          error={problem('assignee.users') ?? problem('userIds')}
        />
      )}
      {by === 'group' && (
        <div>
          {assignee.group?.appGroupId && (
            <Text size="sm" component="div" mb={4}>
              Everyone with{' '}
              <EntitlementName appId={assignee.group.appId ?? ''} entitlementId={assignee.group.appGroupId} />
            </Text>
          )}
          {!isReadOnly && (
            <EntitlementPicker
              label="Entitlement"
              onPick={({ entitlement: { appId, id } }) => set({ appId, appGroupId: id })}
              error={problem('assignee.group')}
            />
          )}
        </div>
      )}
      {by === 'expression' && (
        <ExpressionsField
          expressions={assignee.expression?.expressions ?? []}
          onChange={(expressions) => set({ expressions })}
          isReadOnly={isReadOnly}
          problem={(place) => problem(`assignee.expression.expressions${place}`)}
        />
      )}
      {by !== 'users' && (!isReadOnly || fallbackUserIds.length > 0) && (
        <UserListField
          label="If nobody is found, ask"
          description="If empty, Super Administrators are asked."
          ids={fallbackUserIds}
          onChange={(ids) => set({ fallbackUserIds: ids })}
          isReadOnly={isReadOnly}
          error={problem(`assignee.${by}.fallbackUserIds`)}
        />
      )}
      <Textarea
        label="Instructions"
        description="Shown to the people who provision the access."
        autosize
        minRows={2}
        readOnly={isReadOnly}
        value={manual.instructions ?? ''}
        onChange={({ currentTarget }) => onChange({ ...manual, instructions: currentTarget.value })}
        error={problem('instructions')}
      />
    </>
  )
}

const stepsMax = 16

type Single = Omit<DraftProvision, 'multiStep'>
type StepsFieldsProps = {
  steps: readonly DraftProvision[]
  onChange: (steps: Single[]) => void
  isReadOnly: boolean
  problem: (field: string) => string | undefined
}

/** What is carried out one after the other. */
const StepsFields = ({ steps, onChange, isReadOnly, problem }: StepsFieldsProps): ReactNode => (
  <Stack gap="sm" className={classes.inner}>
    {steps.map((step, place) => (
      // By place: they have no names, and look alike.
      <div key={place} className={classes.part}>
        <ProvisionFields
          label={`Part ${place + 1}`}
          policy={step}
          isStep
          onChange={(changed) =>
            changed && onChange(steps.map((each, at) => (at === place ? changed : each) as Single))
          }
          isReadOnly={isReadOnly}
          problem={(field) => problem(`[${place}].${field}`)}
        />
        {!isReadOnly && steps.length > 1 && (
          <RowActions
            actions={[
              {
                label: 'Remove',
                name: `Remove part ${place + 1}`,
                icon: IconTrash,
                onClick: () => onChange(steps.filter((_, at) => at !== place)),
              },
            ]}
          />
        )}
      </div>
    ))}
    {!isReadOnly && steps.length < stepsMax && (
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...steps, begun.manual] as Single[])}
        >
          Add part
        </Button>
      </div>
    )}
  </Stack>
)
