import { Alert, Button, Checkbox, Group, NumberInput, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  requestCatalogManagementCreateBundleAutomation,
  requestCatalogManagementDeleteBundleAutomation,
  requestCatalogManagementForceRunBundleAutomation,
  requestCatalogManagementGetBundleAutomation,
  requestCatalogManagementResumePausedBundleAutomation,
  requestCatalogManagementSetBundleAutomation,
} from '#client/api/operations.ts'
import type { AppEntitlementRef, BundleAutomation } from '#client/api/types.ts'
import { ApiError } from '#client/api-error.ts'
import { problemOf } from '../../client/problem.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { EntitlementName } from '../../parts/entitlement-name.tsx'
import { EntitlementPicker } from '../../parts/entitlement-picker.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { ExpressionField } from '../../parts/expression-field.tsx'
import { Label } from '../../parts/label.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/panel.tsx'
import { RowActions } from '../../parts/row-actions.tsx'
import { Summary } from '../../parts/summary.tsx'
import { ExpressionHelp, ruleWords } from '../automation/expression-help.tsx'
import { profileReads } from './profile-form.tsx'
import { ProfilePage, useProfile } from './profile-page.tsx'

const changes = [...profileReads, requestCatalogManagementGetBundleAutomation]
const statuses: Readonly<Record<string, string>> = {
  SUCCESS: 'Succeeded',
  FAILURE: 'Failed',
  IN_PROGRESS: 'Running',
  WAITING_FOR_APPROVAL: 'Held for confirmation',
}

/** Automatic membership. */
export function ProfileAutomation(): ReactNode {
  const { profileId } = useProfile()
  const { data, error, isPending, refetch } = useQuery({
    ...read(requestCatalogManagementGetBundleAutomation, { path: { request_catalog_id: profileId } }),
    retry: false,
  })
  const isNone = error instanceof ApiError && error.status === 404
  return (
    <ProfilePage>
      {error && !isNone ? (
        <ErrorNote error={error} title="The automation could not be loaded" retry={() => void refetch()} />
      ) : (
        !isPending && (
          <Editor key={data?.updatedAt ?? 'none'} profileId={profileId} automation={isNone ? null : (data ?? null)} />
        )
      )}
    </ProfilePage>
  )
}

function Editor({ profileId, automation }: { profileId: string; automation: BundleAutomation | null }): ReactNode {
  const { may } = useSession()
  const isReadOnly = !may('profiles.write')
  const [isByHolding, setByHolding] = useState(automation?.entitlements !== null && automation !== null)
  const [refs, setRefs] = useState<readonly AppEntitlementRef[]>(automation?.entitlements?.entitlementRefs ?? [])
  const [expression, setExpression] = useState(automation?.cel?.expression ?? '')
  const [enabled, setEnabled] = useState(automation?.enabled ?? true)
  const [createTasks, setCreateTasks] = useState(automation?.createTasks ?? false)
  const [isUnheld, setUnheld] = useState(automation?.disableCircuitBreaker ?? false)
  const [percent, setPercent] = useState<number | string>(Number(automation?.removedMembersThresholdPercent ?? 0) || 20)
  const [holdsSmall, setHoldsSmall] = useState(automation?.enforceOnSmallProfiles ?? false)
  const path = { request_catalog_id: profileId }
  const create = useChange(requestCatalogManagementCreateBundleAutomation, { changes, done: 'Saved' })
  const update = useChange(requestCatalogManagementSetBundleAutomation, { changes, done: 'Saved' })
  const remove = useChange(requestCatalogManagementDeleteBundleAutomation, { changes, done: 'Deleted the automation' })
  const run = useChange(requestCatalogManagementForceRunBundleAutomation, { changes, done: 'Started' })
  const resume = useChange(requestCatalogManagementResumePausedBundleAutomation, { changes, done: 'Resumed' })
  const { error, isPending } = automation ? update : create
  const isHeld = automation?.circuitBreaker?.state === 'CIRCUIT_BREAKER_STATE_TRIGGERED'
  const save = (): void => {
    const body = {
      ...(isByHolding ? { entitlements: { entitlementRefs: [...refs] } } : { cel: { expression } }),
      enabled,
      createTasks,
      disableCircuitBreaker: isUnheld,
      removedMembersThresholdPercent: String(percent),
      enforceOnSmallProfiles: holdsSmall,
    }
    if (automation) update.mutate({ path, body })
    else create.mutate({ path, body })
  }
  return (
    <>
      {isHeld && (
        <Alert color="orange" mb="md" title="The last run is held" icon={<IconAlertTriangle size={18} aria-hidden />}>
          It would remove more members than the limit allows. Nothing was changed.
          {!isReadOnly && (
            <Group mt="xs">
              <Button size="xs" loading={resume.isPending} onClick={() => resume.mutate({ path })}>
                Resume
              </Button>
            </Group>
          )}
        </Alert>
      )}
      <Panel
        title="Automatic membership"
        about="People are added and removed automatically when their data changes."
        actions={
          automation &&
          !isReadOnly && (
            <Group gap="xs">
              <Button size="xs" variant="default" loading={run.isPending} onClick={() => run.mutate({ path })}>
                Run now
              </Button>
              <Button size="xs" variant="default" loading={remove.isPending} onClick={() => remove.mutate({ path })}>
                Delete automation
              </Button>
            </Group>
          )
        }
      >
        {automation?.state && (
          <Summary
            facts={[
              ['Last run', statuses[automation.state.status.replace('BUNDLE_AUTOMATION_RUN_STATUS_', '')] ?? 'Not yet'],
              ['At', automation.state.lastRunAt && <Moment key="at" at={automation.state.lastRunAt} />],
              ['Error', automation.state.errorMessage],
            ]}
          />
        )}
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            save()
          }}
        >
          <Stack>
            <Label text="By">
              {(id) => (
                <SegmentedControl
                  aria-labelledby={id}
                  disabled={isReadOnly}
                  value={isByHolding ? 'holding' : 'cel'}
                  onChange={(value) => setByHolding(value === 'holding')}
                  data={[
                    { value: 'cel', label: 'Expression' },
                    { value: 'holding', label: 'Entitlements' },
                  ]}
                />
              )}
            </Label>
            {isByHolding ? (
              <>
                {refs.map((ref) => (
                  <Group key={`${ref.appId} ${ref.id}`} gap="xs">
                    <EntitlementName appId={ref.appId} entitlementId={ref.id} />
                    {!isReadOnly && (
                      <RowActions
                        actions={[
                          {
                            label: 'Remove',
                            name: `Remove ${ref.id}`,
                            icon: IconTrash,
                            onClick: () => setRefs(refs.filter((each) => each !== ref)),
                          },
                        ]}
                      />
                    )}
                  </Group>
                ))}
                {!isReadOnly && (
                  <EntitlementPicker
                    label="People with any of these are members"
                    without={refs}
                    onPick={({ entitlement: { appId, id } }) => setRefs([...refs, { appId, id }])}
                    error={problemOf(error, 'entitlements')}
                  />
                )}
              </>
            ) : (
              <>
                <ExpressionField
                  {...ruleWords}
                  value={expression}
                  onChange={setExpression}
                  error={error}
                  field="cel.expression"
                  isReadOnly={isReadOnly}
                />
                {!isReadOnly && <ExpressionHelp onTake={setExpression} />}
              </>
            )}
            <Checkbox
              label="Enabled"
              disabled={isReadOnly}
              checked={enabled}
              onChange={({ currentTarget: { checked } }) => setEnabled(checked)}
            />
            <Checkbox
              label="Request membership under its policy instead of granting it"
              disabled={isReadOnly}
              checked={createTasks}
              onChange={({ currentTarget: { checked } }) => setCreateTasks(checked)}
            />
            <Checkbox
              label="Never hold runs, however many members they remove"
              disabled={isReadOnly}
              checked={isUnheld}
              onChange={({ currentTarget: { checked } }) => setUnheld(checked)}
            />
            {!isUnheld && (
              <>
                <NumberInput
                  label="Hold runs that remove more than this percentage of the members"
                  min={1}
                  max={100}
                  allowDecimal={false}
                  disabled={isReadOnly}
                  value={percent}
                  onChange={setPercent}
                  error={problemOf(error, 'removedMembersThresholdPercent')}
                  maw="16rem"
                />
                <Checkbox
                  label="Also for profiles with fewer than 20 members"
                  disabled={isReadOnly}
                  checked={holdsSmall}
                  onChange={({ currentTarget: { checked } }) => setHoldsSmall(checked)}
                />
              </>
            )}
            <ErrorNote
              error={error ?? run.error ?? remove.error ?? resume.error}
              shownElsewhere={['cel.expression', 'entitlements', 'removedMembersThresholdPercent']}
            />
            {isReadOnly ? (
              !automation && (
                <Text size="sm" c="dimmed">
                  No automation: people become members by request.
                </Text>
              )
            ) : (
              <Group>
                <Button
                  type="submit"
                  loading={isPending}
                  disabled={isByHolding ? refs.length === 0 : expression.trim() === ''}
                >
                  {automation ? 'Save' : 'Create automation'}
                </Button>
              </Group>
            )}
          </Stack>
        </form>
      </Panel>
    </>
  )
}
