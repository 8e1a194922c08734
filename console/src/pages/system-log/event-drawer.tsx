import { Code, Stack } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { CopyText } from '../../parts/copy.tsx'
import { SidePanel } from '../../parts/dialog.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { UserName } from '../../parts/user-name.tsx'
import type { LogEvent } from './event.ts'

/** One event: what it says, and the whole of it as it is written in the log. */
export function EventDrawer({ event, onClose }: { event: LogEvent | null; onClose: () => void }): ReactNode {
  // The words stay while the drawer closes.
  const last = useRef(event)
  if (event) last.current = event
  const shown = last.current
  return (
    <SidePanel opened={event !== null} onClose={onClose} title={shown?.message || 'Event'}>
      {shown && (
        <Stack>
          <Facts
            facts={[
              ['Time', <Moment key="when" at={shown.at} show="seconds" />],
              ['Outcome', shown.isSuccess ? 'Success' : 'Denied'],
              ['Reason', shown.reason],
              ['Actor', shown.by.id ? <UserName key="by" userId={shown.by.id} /> : shown.by.name],
              ['Client', shown.by.client],
              ['Source address', shown.from],
              ['Operation', shown.operation && <Code key="operation">{shown.operation}</Code>],
              ['Request', shown.requestId && <Code key="request">{shown.requestId}</Code>],
              ['Event', <Code key="event">{shown.id}</Code>],
              ...shown.touched.slice(0, 12).map(({ type, id, name }) => [`Affected ${type}`, name || id] as const),
            ]}
          />
          <CopyText value={JSON.stringify(shown.whole, null, 2)} label="event as JSON" isBlock />
        </Stack>
      )}
    </SidePanel>
  )
}
