import { Button, NativeSelect, Text, TextInput } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { connectorUpdateConnectorSchedule } from '#client/api/operations.ts'
import type { ConnectorOverview } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { durationIn } from '../../parts/durations.ts'
import { Facts } from '../../parts/facts.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { Moment, zoneHere } from '../../parts/moment.tsx'
import { Panel } from '../../parts/panel.tsx'
import { connectorReads } from './changed.ts'
import { isDue } from './state.tsx'

const usual = [
  { value: '0 * * * *', label: 'Every hour' },
  { value: '0 */6 * * *', label: 'Every 6 hours' },
  { value: '0 2 * * *', label: 'Every day at 02:00' },
  { value: '0 2 * * 1', label: 'Every Monday at 02:00' },
]
const own = 'own'

/** When the connector syncs automatically. */
export function Schedule({ connector, mayChange }: { connector: ConnectorOverview; mayChange: boolean }): ReactNode {
  const [isChanging, setChanging] = useState(false)
  const { cronSpec, timezone, everySeconds } = connector.schedule ?? { cronSpec: '', timezone: '', everySeconds: 0 }
  const known = usual.find(({ value }) => value === cronSpec)?.label
  return (
    <Panel
      title="Schedule"
      actions={
        mayChange && (
          <Button variant="default" leftSection={<IconClock size={16} aria-hidden />} onClick={() => setChanging(true)}>
            Edit schedule
          </Button>
        )
      }
    >
      <Facts
        facts={[
          ['Syncs', cronSpec ? (known ?? <code key="cron">{cronSpec}</code>) : everyWords(everySeconds)],
          ['Time zone', timezone],
          [
            'Next sync',
            connector.pausedAt ? (
              'None while paused'
            ) : (
              <Moment
                key="next"
                at={isDue(connector.nextSyncAt) ? null : connector.nextSyncAt}
                none="When the connector next connects"
              />
            ),
          ],
        ]}
      />
      {isChanging && <ScheduleForm connector={connector} onClose={() => setChanging(false)} />}
    </Panel>
  )
}

function everyWords(seconds: number): string {
  const { amount, unit } = durationIn(`${seconds}s`)
  return amount === 1 ? `Every ${unit.slice(0, -1)}` : `Every ${amount.toLocaleString()} ${unit}`
}

function ScheduleForm({ connector, onClose }: { connector: ConnectorOverview; onClose: () => void }): ReactNode {
  const { cronSpec = '', timezone = '' } = connector.schedule ?? {}
  const isOwn = cronSpec !== '' && !usual.some(({ value }) => value === cronSpec)
  const [chosen, setChosen] = useState(isOwn ? own : cronSpec || usual[0]?.value || '')
  const [typed, setTyped] = useState(isOwn ? cronSpec : '')
  const [zone, setZone] = useState(timezone || zoneHere())
  const update = useChange(connectorUpdateConnectorSchedule, {
    changes: connectorReads,
    done: 'Saved the schedule',
    onDone: onClose,
  })
  const spec = chosen === own ? typed.trim() : chosen
  return (
    <FormModal
      opened
      onClose={onClose}
      title="Edit schedule"
      verb="Save"
      isIncomplete={spec === '' || zone.trim() === ''}
      isPending={update.isPending}
      error={update.error}
      fields={['cron.cronSpec', 'cron.timezone']}
      onSubmit={() =>
        update.mutate({
          path: { app_id: connector.appId, connector_id: connector.id },
          body: { cron: { cronSpec: spec, timezone: zone.trim() } },
        })
      }
    >
      <NativeSelect
        label="Sync"
        data-autofocus
        data={[...usual, { value: own, label: 'Custom schedule' }]}
        value={chosen}
        onChange={({ currentTarget: { value } }) => setChosen(value)}
        error={chosen === own ? undefined : problemOf(update.error, 'cron.cronSpec')}
      />
      {chosen === own && (
        <TextInput
          label="Cron expression"
          description="Minute, hour, day of month, month, day of week."
          placeholder="30 */4 * * 1-5"
          required
          maxLength={200}
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
          error={problemOf(update.error, 'cron.cronSpec')}
        />
      )}
      <TextInput
        label="Time zone"
        placeholder="Europe/Zurich"
        required
        maxLength={100}
        value={zone}
        onChange={({ currentTarget: { value } }) => setZone(value)}
        error={problemOf(update.error, 'cron.timezone')}
      />
      <Text size="sm">A sync starts when the connector next connects after that time.</Text>
    </FormModal>
  )
}
