import { Anchor, Button, Text } from '@mantine/core'
import { IconFileExport, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { exportCreate, exportList, exportsRetention } from '#client/api/operations.ts'
import { read, useChange } from '../../../client/queries.ts'
import { useSession } from '../../../client/session.ts'
import { DataList } from '../../../parts/data-list.tsx'
import { Moment } from '../../../parts/moment.tsx'
import { Page } from '../../../parts/page.tsx'
import { Panel } from '../../../parts/panel.tsx'
import { ExportForm } from './export-form.tsx'
import { ExportBadge } from './state.tsx'

/** Where the system log is exported to. */
export function Exports(): ReactNode {
  const { may } = useSession()
  const [isCreating, setCreating] = useState(false)
  const create = may('exports.write') && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      Create export
    </Button>
  )
  return (
    <Page
      above={[{ label: 'System log', to: '/log' }]}
      about="Each export sends all events of the system log, as OCSF JSON, to a folder, object storage or a collector."
      actions={create}
    >
      <DataList
        caption="Exports of the system log"
        operation={exportList}
        input={({ pageSize, pageToken }) => ({ query: { page_size: pageSize, page_token: pageToken } })}
        rows={({ list }) => list}
        keyOf={({ exportId }) => exportId}
        columns={[
          {
            header: 'Name',
            cell: ({ exportId, displayName }) => (
              <Anchor component={Link} to={`/log/exports/${exportId}`} size="sm" fw={600}>
                {displayName}
              </Anchor>
            ),
          },
          { header: 'State', width: '9rem', cell: ({ state }) => <ExportBadge state={state} /> },
          { header: 'Datasource', cell: ({ datasource }) => datasource?.datasourceId },
          { header: 'Created', width: '9rem', cell: ({ createdAt }) => <Moment at={createdAt} show="day" /> },
        ]}
        empty={{
          icon: IconFileExport,
          title: 'No exports',
          children:
            'The system log is only in the database. An export keeps a copy elsewhere, or sends events to a collector.',
          action: create,
        }}
      />
      {may('systemlog.read') && <Retention />}
      {isCreating && <CreateExport onClose={() => setCreating(false)} />}
    </Page>
  )
}

/** What left the database, and what keeps the rest. */
function Retention(): ReactNode {
  const { data } = useQuery(read(exportsRetention, {}))
  if (!data) return null
  const { days, archivedEvents, archivedUntil, older, removable, reasons } = data
  return (
    <Panel title="Retention" about="When events are removed from the database. They are kept in the exported files.">
      <Text size="sm">
        {Number(archivedEvents) > 0 ? (
          <>
            {archivedEvents} events before <Moment at={archivedUntil} /> were archived and removed from the database.
          </>
        ) : (
          'All events are in the database.'
        )}
      </Text>
      {Number(days) > 0 && (
        <Text size="sm" mt="xs">
          Events are removed after {days} days, once they are exported. {older} are older; {removable} of them can be
          removed now.
        </Text>
      )}
      {reasons.map((reason) => (
        <Text key={reason} size="sm" mt="xs">
          {reason}
        </Text>
      ))}
    </Panel>
  )
}

function CreateExport({ onClose }: { onClose: () => void }): ReactNode {
  const navigate = useNavigate()
  const create = useChange(exportCreate, {
    changes: [exportList],
    onDone: ({ exporter }) => void navigate({ href: `/log/exports/${exporter?.exportId ?? ''}` }),
  })
  return (
    <ExportForm
      title="Create an export"
      verb="Create export"
      at=""
      isPending={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={(fields) => create.mutate({ body: fields })}
    />
  )
}
