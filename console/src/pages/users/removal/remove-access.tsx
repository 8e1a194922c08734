import { Alert, Button, Checkbox, Group, List, Loader, Stack, Text, Textarea } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { accessRemovalsCreate, accessRemovalsCreateExcluding, accessRemovalsPlan } from '#client/api/operations.ts'
import type { AccessRemoval, PlanAccessRemovalResponse, PlannedAccessRemoval, User } from '#client/api/types.ts'
import { call } from '../../../client/call.ts'
import { isSentForApproval } from '../../../client/problem.ts'
import { useChange } from '../../../client/queries.ts'
import { useSession } from '../../../client/session.ts'
import { Dialog } from '../../../parts/dialog.tsx'
import { ErrorNote } from '../../../parts/error-note.tsx'
import { Named } from '../../../parts/named.tsx'
import { isOutdated, OutdatedNote } from '../../../parts/plan-groups.tsx'
import { endedWords, grants, type Reach } from '../../../parts/reach.ts'
import { ReachItems } from '../../../parts/reach-items.tsx'
import { Table } from '../../../parts/table.tsx'
import { removalReads } from './removal-reads.ts'
import classes from './remove-access.module.css'
import { UndoRemoval } from './undo-removal.tsx'

const entitlements = (count: number): string =>
  `${count.toLocaleString()} ${count === 1 ? 'entitlement' : 'entitlements'}`

/** What has been done, with what it leads to in the apps as it was planned. */
type Ended = { removal: AccessRemoval | null; reach: Reach | null }

/** Removes all access of a person: shows the plan first, and does exactly that. */
export function RemoveAccess({ user }: { user: User }): ReactNode {
  const { may } = useSession()
  const [isOpen, setOpen] = useState(false)
  if (!may('grants.write')) return null
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Remove all access
      </Button>
      {isOpen && <RemoveDialog user={user} onClose={() => setOpen(false)} />}
    </>
  )
}

function RemoveDialog({ user, onClose }: { user: User; onClose: () => void }): ReactNode {
  const { may, user: self } = useSession()
  const [excludes, setExcludes] = useState(false)
  const [disables, setDisables] = useState(false)
  const [done, setDone] = useState<Ended | null>(null)
  const options = { excludeFromRules: excludes, disableUser: disables }
  // Not shared with others: what is shown is what is done.
  const plan = useQuery({
    queryKey: [accessRemovalsPlan.id, user.id, options],
    queryFn: ({ signal }) => call(accessRemovalsPlan, { path: { user_id: user.id }, body: options }, signal),
    staleTime: 0,
    gcTime: 0,
    enabled: done === null,
  })
  const name = user.displayName || user.email
  const mayDisable = may('users.write') && user.status === 'ENABLED' && self?.id !== user.id
  return (
    <Dialog opened onClose={onClose} title={`Remove all access of ${name}`} size="xl">
      <Stack>
        {done?.removal ? (
          <Done removal={done.removal} reach={done.reach} user={user} name={name} onClose={onClose} />
        ) : (
          <>
            <Stack gap="xs">
              {may('automations.write') && (
                <Checkbox
                  label="Exclude from rules"
                  description="Otherwise, rules that match this person grant access again."
                  checked={excludes}
                  onChange={({ currentTarget: { checked } }) => setExcludes(checked)}
                />
              )}
              {mayDisable && (
                <Checkbox
                  label="Disable the person"
                  description="Sessions end, API credentials are refused, and no rule matches until they are enabled again."
                  checked={disables}
                  onChange={({ currentTarget: { checked } }) => setDisables(checked)}
                />
              )}
            </Stack>
            <ErrorNote error={plan.error} title="The plan could not be created" retry={() => void plan.refetch()} />
            {plan.data && !plan.isFetching ? (
              <Planned
                key={plan.data.fingerprint}
                user={user}
                plan={plan.data}
                excludes={excludes}
                disables={disables}
                onClose={onClose}
                onOutdated={() => void plan.refetch()}
                onDone={setDone}
              />
            ) : (
              !plan.error && <Loader size="sm" aria-label="Planning" />
            )}
          </>
        )}
      </Stack>
    </Dialog>
  )
}

type PlannedProps = {
  user: User
  plan: PlanAccessRemovalResponse
  excludes: boolean
  disables: boolean
  onClose: () => void
  onOutdated: () => void
  onDone: (done: Ended) => void
}

function Planned({ user, plan, excludes, disables, onClose, onOutdated, onDone }: PlannedProps): ReactNode {
  const [reason, setReason] = useState('')
  const { removedCount: count, connectorCount: sent, nobodyCount: unconnected } = plan
  const reach = { count, sent, unconnected, unasked: 0 }
  const done = {
    changes: removalReads,
    onDone: ({ removal }: { removal: AccessRemoval | null }) => onDone({ removal, reach }),
  }
  const plain = useChange(accessRemovalsCreate, done)
  const excluding = useChange(accessRemovalsCreateExcluding, done)
  const change = excludes ? excluding : plain
  const excluded = plan.rules.filter(({ willExclude }) => willExclude).length
  const again = plan.rules.filter(({ grantsAgain }) => grantsAgain).length
  const isNothing = plan.removedCount + plan.manualCount + excluded === 0 && !disables
  return (
    <>
      <WhatHappens plan={plan} reach={reach} excluded={excluded} disables={disables} />
      {again > 0 && (
        <Alert color="orange" icon={<IconAlertTriangle size={18} aria-hidden />} title="Rules keep some of this access">
          {again === 1 ? 'A rule grants' : `${again.toLocaleString()} rules grant`} it again unless the person is
          excluded or disabled. Choose one of the options above to remove it.
        </Alert>
      )}
      {plan.apps.length > 0 && <ByApp plan={plan} />}
      {plan.items.length > 0 && <Items items={plan.items} />}
      {plan.isMore && (
        <Text size="sm">There is more access than can be removed at once. Remove this first, then the rest.</Text>
      )}
      <Textarea
        label="Reason"
        description="Kept with the removal and in the system log."
        required
        maxLength={1000}
        autosize
        value={reason}
        onChange={({ currentTarget: { value } }) => setReason(value)}
      />
      {isOutdated(change.error) ? (
        <OutdatedNote>
          The access of this person has changed since.{' '}
          <Button size="compact-sm" variant="default" onClick={onOutdated}>
            Create a new plan
          </Button>
        </OutdatedNote>
      ) : (
        <ErrorNote error={change.error} />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {isSentForApproval(change.error) ? 'Close' : 'Cancel'}
        </Button>
        {!isSentForApproval(change.error) && (
          <Button
            color="red.8"
            disabled={isNothing || reason.trim() === ''}
            loading={change.isPending}
            onClick={() =>
              change.mutate({
                path: { user_id: user.id },
                body: { fingerprint: plan.fingerprint, reason: reason.trim(), disableUser: disables },
              })
            }
          >
            End {grants(plan.removedCount)}
          </Button>
        )}
      </Group>
    </>
  )
}

type WhatHappensProps = {
  plan: PlanAccessRemovalResponse
  reach: Reach | null
  /** From how many rules the person is excluded. */
  excluded: number
  disables: boolean
}

/** What the removal does here, what that leads to in the apps, and what it leaves as it is. */
const WhatHappens = ({ plan, reach, excluded, disables }: WhatHappensProps): ReactNode => (
  <div aria-live="polite">
    <List size="sm">
      <ReachItems count={plan.removedCount} reach={reach} />
      {plan.manualCount > 0 && (
        <List.Item>
          {entitlements(plan.manualCount)}: a task asks people to remove them in the app. The grants are kept until
          then.
        </List.Item>
      )}
      {plan.keptCount > 0 && <List.Item>{entitlements(plan.keptCount)} kept: see why below</List.Item>}
      {excluded > 0 && (
        <List.Item>
          Excluded from {excluded.toLocaleString()} {excluded === 1 ? 'rule' : 'rules'}
        </List.Item>
      )}
      {disables && <List.Item>The person is disabled</List.Item>}
    </List>
  </div>
)

const ByApp = ({ plan }: { plan: PlanAccessRemovalResponse }): ReactNode => (
  <Table
    caption="By app"
    rows={plan.apps}
    keyOf={({ appId }) => appId}
    isPending={false}
    isStale={false}
    columns={[
      { header: 'App', cell: ({ appDisplayName, appId }) => <Named label={appDisplayName || appId} /> },
      { header: 'Ends', width: '6rem', isNumber: true, cell: ({ removedCount }) => removedCount.toLocaleString() },
      { header: 'Manual', width: '6rem', isNumber: true, cell: ({ manualCount }) => manualCount.toLocaleString() },
      { header: 'Kept', width: '6rem', isNumber: true, cell: ({ keptCount }) => keptCount.toLocaleString() },
    ]}
  />
)

const outcomeWords: Readonly<Record<string, string>> = { removed: 'Ends', manual: 'Manual task' }

const Items = ({ items }: { items: readonly PlannedAccessRemoval[] }): ReactNode => (
  <details className={classes.items}>
    <summary>Every entitlement, and what happens to it</summary>
    <Table
      caption="Every entitlement, and what happens to it"
      // Kept items first: they need attention.
      rows={items.toSorted((a, b) => Number(a.outcome === 'removed') - Number(b.outcome === 'removed'))}
      keyOf={({ appId, appEntitlementId, appUserId }) => `${appId} ${appEntitlementId} ${appUserId}`}
      isPending={false}
      isStale={false}
      columns={[
        {
          header: 'Entitlement',
          cell: ({ entitlementDisplayName, appDisplayName, appUserDisplayName }) => (
            <Named isQuiet label={entitlementDisplayName} about={`${appDisplayName}, as ${appUserDisplayName}`} />
          ),
        },
        { header: 'Outcome', width: '7rem', cell: ({ outcome }) => outcomeWords[outcome] ?? 'Kept' },
        { header: 'Why', width: '45%', cell: ({ explanation }) => explanation },
      ]}
    />
  </details>
)

type DoneProps = { removal: AccessRemoval; reach: Reach | null; user: User; name: string; onClose: () => void }

function Done({ removal, reach, user, name, onClose }: DoneProps): ReactNode {
  return (
    <>
      <Alert color="teal" icon={<IconCircleCheck size={18} aria-hidden />} title={`Grants of ${name} ended`}>
        {endedWords(removal.removedCount, reach)}
        {removal.manualCount > 0 &&
          ` ${removal.manualCount.toLocaleString()} ${removal.manualCount === 1 ? 'task asks' : 'tasks ask'} people to remove the rest in the apps.`}
        {removal.excludedCount > 0 && ` Excluded from ${removal.excludedCount.toLocaleString()} rules.`}
        {removal.isDisabled && ' The person is disabled.'}
      </Alert>
      <Group justify="flex-end">
        {!removal.isDisabled && <UndoRemoval removal={removal} user={user} onDone={onClose} />}
        <Button onClick={onClose} data-autofocus>
          Close
        </Button>
      </Group>
    </>
  )
}
