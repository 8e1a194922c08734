import { Loader, Text, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconCircle, IconCircleCheck, IconHandStop } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ConnectorOverview } from '#client/api/types.ts'
import { Panel } from '../../parts/panel.tsx'
import { Counts } from '../imports/counts.tsx'
import { outcomeOf } from './state.tsx'
import classes from './waiting.module.css'

type Standing = 'later' | 'now' | 'done' | 'failed' | 'held'
type Step = { title: string; standing: Standing; words: string }

const icons: Readonly<Record<Standing, ReactNode>> = {
  later: <IconCircle size={20} aria-hidden />,
  now: <Loader size={18} aria-hidden />,
  done: <IconCircleCheck size={20} aria-hidden />,
  failed: <IconAlertTriangle size={20} aria-hidden />,
  held: <IconHandStop size={20} aria-hidden />,
}

/** How far a new connector has come: it connects, it reads the app, its records are imported. */
function stepsOf({ state, program, lastSync, isBuiltIn }: ConnectorOverview): Step[] {
  const isSilent = isBuiltIn && state === 'CONNECTOR_LIVE_STATE_SILENT'
  const isSeen = state !== 'CONNECTOR_LIVE_STATE_NEVER_SEEN' && !isSilent
  const sync = lastSync?.state
  const isRead = sync !== undefined && !/QUEUED|RUNNING|UNSPECIFIED/.test(sync)
  const isOver = isRead && sync !== 'CONNECTOR_SYNC_STATE_IMPORTING'
  const isDone = sync === 'CONNECTOR_SYNC_STATE_DONE'
  const failed: Standing = sync === 'CONNECTOR_SYNC_STATE_HELD' ? 'held' : 'failed'
  // A sync that failed before anything was uploaded has failed in its reading.
  const hasFile = Number(lastSync?.fileBytes ?? 0) > 0
  return [
    {
      title: 'Connect',
      standing: isSilent ? 'failed' : isSeen ? 'done' : 'now',
      words: isSeen
        ? isBuiltIn
          ? 'The app responds.'
          : `Connected${program?.hostname ? ` from ${program.hostname}` : ''}.`
        : isSilent
          ? `${lastSync?.error ?? ''} ${lastSync?.advice ?? ''}`
          : isBuiltIn
            ? 'Calling the app.'
            : 'Waiting for the connector. Run the command.',
    },
    {
      title: 'Sync the app',
      standing: !isSeen ? 'later' : !isRead ? 'now' : isOver && !isDone && !hasFile ? failed : 'done',
      words: !isSeen
        ? ''
        : sync === 'CONNECTOR_SYNC_STATE_RUNNING'
          ? 'The first sync is running.'
          : isRead
            ? ''
            : 'The first sync starts soon.',
    },
    {
      title: 'Import the data',
      standing: isDone ? 'done' : isOver && hasFile ? failed : isRead && !isOver ? 'now' : 'later',
      words:
        isOver && lastSync && !isSilent ? `${outcomeOf(lastSync)}${lastSync.advice ? ` ${lastSync.advice}` : ''}` : '',
    },
  ]
}

const said: Readonly<Record<Standing, string>> = {
  later: 'Not yet',
  now: 'Now',
  done: 'Done',
  failed: 'Failed',
  held: 'Held',
}

/** The page waits here until the connector has come, and shows what it brought. */
export function Waiting({ connector }: { connector: ConnectorOverview }): ReactNode {
  const { lastSync } = connector
  return (
    <Panel title="First sync">
      <ol className={classes.steps} aria-live="polite">
        {stepsOf(connector).map(({ title, standing, words }) => (
          <li key={title} className={classes.step} data-standing={standing}>
            <span className={classes.icon}>{icons[standing]}</span>
            <div>
              <Text size="sm" fw={600}>
                {title}
                <VisuallyHidden>: {said[standing]}</VisuallyHidden>
              </Text>
              {words && <Text size="sm">{words}</Text>}
            </div>
          </li>
        ))}
      </ol>
      {lastSync?.state === 'CONNECTOR_SYNC_STATE_DONE' && (
        <div className={classes.came}>
          <Counts counts={lastSync.counts} caption="Imported records" />
        </div>
      )}
    </Panel>
  )
}
