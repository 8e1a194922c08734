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

/** How far a new connector has come. */
function progressOf({ state, lastSync, isBuiltIn }: ConnectorOverview) {
  const isSilent = isBuiltIn && state === 'CONNECTOR_LIVE_STATE_SILENT'
  const sync = lastSync?.state
  const isRead = sync !== undefined && !/QUEUED|RUNNING|UNSPECIFIED/.test(sync)
  const failed: Standing = sync === 'CONNECTOR_SYNC_STATE_HELD' ? 'held' : 'failed'
  return {
    isSilent,
    isSeen: state !== 'CONNECTOR_LIVE_STATE_NEVER_SEEN' && !isSilent,
    isRead,
    isOver: isRead && sync !== 'CONNECTOR_SYNC_STATE_IMPORTING',
    isDone: sync === 'CONNECTOR_SYNC_STATE_DONE',
    failed,
    // A sync that failed before anything was uploaded has failed in its reading.
    hasFile: Number(lastSync?.fileBytes ?? 0) > 0,
  }
}
type Progress = ReturnType<typeof progressOf>

function connecting({ program, lastSync, isBuiltIn }: ConnectorOverview, { isSilent, isSeen }: Progress): Step {
  const step = (standing: Standing, words: string): Step => ({ title: 'Connect', standing, words })
  if (isSilent) return step('failed', `${lastSync?.error ?? ''} ${lastSync?.advice ?? ''}`)
  if (isSeen && isBuiltIn) return step('done', 'The app responds.')
  if (isSeen) return step('done', `Connected${program?.hostname ? ` from ${program.hostname}` : ''}.`)
  return step('now', isBuiltIn ? 'Calling the app.' : 'Waiting for the connector. Run the command.')
}

function reading({ lastSync }: ConnectorOverview, { isSeen, isRead, isOver, ...progress }: Progress): Step {
  const step = (standing: Standing, words = ''): Step => ({ title: 'Sync the app', standing, words })
  if (!isSeen) return step('later')
  if (isRead) return step(isOver && !progress.isDone && !progress.hasFile ? progress.failed : 'done')
  const isRunning = lastSync?.state === 'CONNECTOR_SYNC_STATE_RUNNING'
  return step('now', isRunning ? 'The first sync is running.' : 'The first sync starts soon.')
}

function importing({ lastSync }: ConnectorOverview, { isSilent, isRead, isOver, ...progress }: Progress): Step {
  const hasEnded = isOver && (progress.isDone || progress.hasFile)
  return {
    title: 'Import the data',
    standing: hasEnded ? (progress.isDone ? 'done' : progress.failed) : isRead && !isOver ? 'now' : 'later',
    words:
      isOver && lastSync && !isSilent ? `${outcomeOf(lastSync)}${lastSync.advice ? ` ${lastSync.advice}` : ''}` : '',
  }
}

/** It connects, it reads the app, its records are imported. */
const stepsOf = (connector: ConnectorOverview): Step[] => {
  const progress = progressOf(connector)
  return [connecting, reading, importing].map((step) => step(connector, progress))
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
