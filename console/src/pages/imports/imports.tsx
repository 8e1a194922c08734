import { Anchor } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { importList } from '#client/api/operations.ts'
import type { Import } from '#client/api/types.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { countWords, formatNames, numberOf } from './counts.tsx'
import { NewImport } from './new-import.tsx'

/** Bringing records in from a file, and the files that came before. */
export function Imports(): ReactNode {
  const { may } = useSession()
  return (
    <Page
      title="Imports"
      about="Users, apps, resources, entitlements, accounts and grants from a file, or the file of a connector. A file is imported completely or not at all."
    >
      {may('imports.write') && (
        <Panel title="Import a file">
          <NewImport />
        </Panel>
      )}
      {may('imports.read') && <PastImports />}
    </Page>
  )
}

const PastImports = (): ReactNode => (
  <DataList
    caption="Imports, newest first"
    operation={importList}
    input={({ pageSize, pageToken }) => ({ query: { page_size: pageSize, page_token: pageToken } })}
    rows={({ list }) => list}
    keyOf={({ id }) => id}
    columns={[
      {
        header: 'Finished',
        width: '14rem',
        cell: ({ id, finishedAt }: Import) => (
          <Anchor component={Link} to={`/imports/${id}`} size="sm" fw={600}>
            <Moment at={finishedAt} />
          </Anchor>
        ),
      },
      { header: 'By', width: '20%', cell: ({ userName }) => userName || 'The operator' },
      { header: 'Changes', cell: ({ counts }) => countWords(counts) },
      {
        header: 'Kind',
        width: '11rem',
        cell: ({ isFull, format }) => `${isFull ? 'Full' : 'Partial'}, ${formatNames[format]}`,
      },
      { header: 'Lines', width: '7rem', isNumber: true, cell: ({ lineCount }) => numberOf(lineCount) },
    ]}
    empty={{
      icon: IconFileImport,
      title: 'No imports yet',
      children: 'Drop a file above and start a dry run: it shows what would change and saves nothing.',
    }}
  />
)
