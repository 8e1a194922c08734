import { Badge, Button, Group, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { connectorProgramGet, connectorProgramGetLog, connectorProgramRestart } from '#client/api/operations.ts'
import type { ConnectorOverview, ConnectorRun } from '#client/api/types.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ChangeProgram } from './change-program.tsx'
import { connectorReads } from './changed.ts'
import classes from './program.module.css'

const soonMs = 3_000

const states: Readonly<Record<string, { label: string; color: string }>> = {
  CONNECTOR_PROGRAM_STATE_WAITING: { label: 'Starting', color: 'blue' },
  CONNECTOR_PROGRAM_STATE_RUNNING: { label: 'Running', color: 'green' },
  CONNECTOR_PROGRAM_STATE_RESTARTING: { label: 'Starting again soon', color: 'orange' },
  CONNECTOR_PROGRAM_STATE_FAILED: { label: 'Failed', color: 'red' },
  CONNECTOR_PROGRAM_STATE_STOPPED: { label: 'Stopped', color: 'gray' },
}

type ProgramPanelProps = { connector: ConnectorOverview; mayOperate: boolean }

/** The program of a connector that this server runs: whether it runs, what it is run with, and what it printed. */
export function ProgramPanel({ connector, mayOperate }: ProgramPanelProps): ReactNode {
  const { may } = useSession()
  const [isChanging, setChanging] = useState(false)
  const path = { app_id: connector.appId, connector_id: connector.id }
  const { data, error, refetch } = useQuery({ ...read(connectorProgramGet, { path }), refetchInterval: soonMs })
  const restart = useChange(connectorProgramRestart, {
    changes: [connectorProgramGet, connectorProgramGetLog, ...connectorReads],
    done: 'The program is started again.',
  })
  const run = data?.run
  return (
    <Panel
      title="Program"
      about="This server runs the program. Its settings are stored encrypted, and its credential is created when it is started."
      actions={
        <Group gap="sm">
          {mayOperate && run && (
            <Button
              variant="default"
              leftSection={<IconRefresh size={16} aria-hidden />}
              loading={restart.isPending}
              onClick={() => restart.mutate({ path })}
            >
              Restart
            </Button>
          )}
          {may('imports.write') && run && (
            <Button variant="default" onClick={() => setChanging(true)}>
              Edit settings
            </Button>
          )}
        </Group>
      }
    >
      <ErrorNote error={error} title="The program cannot be shown" retry={() => void refetch()} />
      <ErrorNote error={restart.error} title="The program was not restarted" />
      {run && <About run={run} />}
      {may('imports.write') && run && <Log path={path} />}
      {isChanging && run && <ChangeProgram connector={connector} run={run} onClose={() => setChanging(false)} />}
    </Panel>
  )
}

function About({ run }: { run: ConnectorRun }): ReactNode {
  const { label, color } = states[run.state] ?? { label: 'Unknown', color: 'gray' }
  return (
    <Facts
      facts={[
        ['Program', <code key="program">{run.program}</code>],
        [
          'State',
          <span key="state">
            <Badge color={color} variant="light">
              {label}
            </Badge>{' '}
            since <Moment at={run.stateSince} />
          </span>,
        ],
        ['Last end', run.detail],
        ['Restarts', run.restarts > 0 && String(run.restarts)],
        ['May change the app', run.isProvisioning ? 'Yes' : 'No'],
        [
          'Settings',
          run.settings.length > 0 && (
            <>
              {run.settings.map(({ name, value, isSecret }) => (
                <Text key={name} size="sm" style={{ overflowWrap: 'anywhere' }}>
                  <code>{name}</code>: {isSecret ? 'set, not shown' : value}
                </Text>
              ))}
            </>
          ),
        ],
      ]}
    />
  )
}

function Log({ path }: { path: { app_id: string; connector_id: string } }): ReactNode {
  const { data, error } = useQuery({ ...read(connectorProgramGetLog, { path }), refetchInterval: soonMs })
  const lines = data?.list ?? []
  return (
    <section className={classes.log} aria-label="Log of the program">
      <Text size="sm" fw={600}>
        Log
      </Text>
      <ErrorNote error={error} title="The log cannot be shown" />
      {data && lines.length === 0 && <Text size="sm">Nothing was printed yet.</Text>}
      {lines.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by the keyboard
        <pre className={classes.lines} tabIndex={0}>
          {lines.map(({ at, text }) => `${at.slice(11, 19)}  ${text}`).join('\n')}
        </pre>
      )}
    </section>
  )
}
