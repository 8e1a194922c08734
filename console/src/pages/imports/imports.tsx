import { Anchor } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { importList } from '#client/api/operations.ts'
import type { Import } from '#client/api/types.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { byOne, bySome, daysOf, type FilterBy } from '../../parts/list-filters.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { countWords, formatNames, numberOf } from './counts.tsx'
import { NewImport } from './new-import.tsx'

/** Bringing records in from a file, and the files that came before. */
export function Imports(): ReactNode {
  const { may } = useSession()
  return (
    <Page about="Users, apps, resources, entitlements, accounts and grants from a file, or the file of a connector. A file is imported completely or not at all.">
      {may('imports.write') && (
        <Panel title="Import a file">
          <NewImport />
        </Panel>
      )}
      {may('imports.read') && <PastImports />}
    </Page>
  )
}

const filterBy: readonly FilterBy[] = [
  bySome('format', 'Format', { jsonl: 'JSON lines', csv: 'CSV', c1z: 'Connector file' }),
  byOne('extent', 'Extent', { full: 'Full', partial: 'Partial' }),
  { name: 'by', label: 'By', kind: 'user' },
  { name: 'finished', label: 'Finished', kind: 'days' },
]

const PastImports = (): ReactNode => (
  <DataList
    caption="Imports, newest first"
    operation={importList}
    kind="imports"
    filterBy={filterBy}
    input={({ filter, values, orderBy, pageSize, pageToken }) => ({
      query: {
        formats: values<'csv'>('format'),
        ...(filter('extent') && { extent: filter('extent') as 'full' }),
        user_ids: values('by'),
        ...(daysOf(filter, 'finished').from && { finished_after: daysOf(filter, 'finished').from ?? '' }),
        ...(daysOf(filter, 'finished').until && { finished_before: daysOf(filter, 'finished').until ?? '' }),
        order_by: orderBy,
        page_size: pageSize,
        page_token: pageToken,
      },
    })}
    rows={({ list }) => list}
    keyOf={({ id }) => id}
    columns={[
      {
        header: 'Finished',
        sort: 'finished',
        width: '14rem',
        cell: ({ id, finishedAt }: Import) => (
          <Anchor component={Link} to={`/imports/${id}`} size="sm" fw={600}>
            <Moment at={finishedAt} />
          </Anchor>
        ),
      },
      { header: 'By', sort: 'by', width: '20%', cell: ({ userName }) => userName || 'The operator' },
      { header: 'Changes', cell: ({ counts }) => countWords(counts) },
      {
        header: 'Kind',
        sort: 'format',
        width: '11rem',
        cell: ({ isFull, format }) => `${isFull ? 'Full' : 'Partial'}, ${formatNames[format]}`,
      },
      {
        header: 'Lines',
        sort: 'lines',
        width: '7rem',
        isNumber: true,
        cell: ({ lineCount }) => numberOf(lineCount),
      },
    ]}
    empty={{
      icon: IconFileImport,
      title: 'No imports yet',
      children: 'Drop a file above and start a dry run: it shows what would change and saves nothing.',
    }}
  />
)
