import { Anchor, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { importGet } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import { AppName } from '../../parts/app-name.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { Counts, formatNames, numberOf } from './counts.tsx'

/** One import that was done. */
export function OneImport(): ReactNode {
  const { importId = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(read(importGet, { path: { import_id: importId } }))
  const done = data?.import
  return (
    <Page above={[{ label: 'Imports', to: '/imports' }]} about={<code>{importId}</code>}>
      {error ? (
        <ErrorNote error={error} title="This import could not be loaded" retry={() => void refetch()} />
      ) : done ? (
        <>
          <Panel title="Details">
            <Facts
              facts={[
                [
                  'By',
                  done.userId ? (
                    <UserName key="by" userId={done.userId} />
                  ) : (
                    done.userName || 'The operator, on the command line'
                  ),
                ],
                ['Started', <Moment key="begun" at={done.startedAt} show="exact" />],
                ['Finished', <Moment key="done" at={done.finishedAt} show="exact" />],
                ['Format', formatNames[done.format]],
                [done.format === 'c1z' ? 'Records' : 'Lines', numberOf(done.lineCount)],
                ['Bytes', numberOf(done.byteCount)],
                ['Missing records', done.isFull ? 'Removed' : 'Kept'],
                ['Forced', done.isForced ? 'Yes' : 'No'],
                ['Ignored fields', done.ignoredFields.join(', ')],
                ...(done.appId
                  ? [
                      [
                        'App',
                        <Anchor key="app" component={Link} to={`/apps/${done.appId}`} size="sm">
                          <AppName id={done.appId} />
                        </Anchor>,
                      ] as const,
                      ['Notes', done.notes.join(' ')] as const,
                    ]
                  : []),
              ]}
            />
          </Panel>
          <Panel title="Changes">
            <Counts counts={done.counts} caption="Changes by the import" />
          </Panel>
        </>
      ) : (
        <Skeleton height={320} />
      )}
    </Page>
  )
}
