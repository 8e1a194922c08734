import { Alert, Button, Code } from '@mantine/core'
import { IconAlertTriangle, IconFile } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import {
  exportDelete,
  exportList,
  exportsListFiles,
  exportsRun,
  exportsStatus,
  exportUpdate,
} from '#client/api/operations.ts'
import type { Exporter } from '#client/api/types.ts'
import { read, useChange } from '../../../client/queries.ts'
import { useSession } from '../../../client/session.ts'
import { DataList } from '../../../parts/data-list.tsx'
import { DeleteButton } from '../../../parts/delete-button.tsx'
import { ErrorNote } from '../../../parts/error-note.tsx'
import { Moment } from '../../../parts/moment.tsx'
import { Page } from '../../../parts/page.tsx'
import { Summary } from '../../../parts/summary.tsx'
import { ExportForm } from './export-form.tsx'
import { ExportBadge, sizeWords } from './state.tsx'

const above = [
  { label: 'System log', to: '/log' },
  { label: 'Exports', to: '/log/exports' },
]
const againMs = 5_000
const changed = [exportsStatus, exportsListFiles, exportList]

/** One export: how far it is, what is wrong with it, and its files. */
export function Export(): ReactNode {
  const { exportId = '' } = useParams({ strict: false })
  const { may } = useSession()
  const { data, error, refetch } = useQuery({
    ...read(exportsStatus, { path: { export_id: exportId } }),
    refetchInterval: againMs,
  })
  const client = useQueryClient()
  const watermark = data?.exporter?.watermarkEventId
  // Where it has come further, there are other files.
  useEffect(() => {
    if (watermark) void client.invalidateQueries({ queryKey: [exportsListFiles.id] })
  }, [client, watermark])
  if (error)
    return (
      <Page title="Export" above={above}>
        <ErrorNote error={error} title="This export cannot be shown" retry={() => void refetch()} />
      </Page>
    )
  const exporter = data?.exporter
  return (
    <Page
      title={exporter?.displayName ?? null}
      above={above}
      actions={
        exporter &&
        may('exports.write') && (
          <>
            <RunNow exporter={exporter} />
            <ChangeExport exporter={exporter} />
            <DeleteButton
              name={exporter.displayName}
              operation={exportDelete}
              input={{ path: { export_id: exporter.exportId } }}
              changes={[exportList]}
              href="/log/exports"
            >
              No further events are sent. The files that it wrote are kept. A new export starts with the oldest event in
              the database.
            </DeleteButton>
          </>
        )
      }
    >
      <Summary
        facts={
          data && exporter
            ? [
                ['State', <ExportBadge key="state" state={exporter.state} />],
                ['Datasource', exporter.datasource?.datasourceId],
                ['Prefix', exporter.datasource?.prefix],
                ['Exported up to', exporter.watermarkEventId && <Code key="mark">{exporter.watermarkEventId}</Code>],
                ['Next run', <Moment key="next" at={data.nextRunAt} show="exact" />],
              ]
            : []
        }
      />
      {data?.error && (
        <Alert
          color="red"
          variant="light"
          mb="md"
          icon={<IconAlertTriangle size={18} aria-hidden />}
          title={data.failures === '1' ? 'The last attempt failed' : `The last ${data.failures} attempts failed`}
        >
          {data.error}
        </Alert>
      )}
      <Files exportId={exportId} />
    </Page>
  )
}

const Files = ({ exportId }: { exportId: string }): ReactNode => (
  <DataList
    caption="Files of this export"
    operation={exportsListFiles}
    input={({ pageSize, pageToken }) => ({
      path: { export_id: exportId },
      query: { page_size: pageSize, page_token: pageToken },
    })}
    rows={({ list }) => list}
    keyOf={({ name }) => name}
    columns={[
      { header: 'File', cell: ({ name }) => <Code>{name.slice(name.lastIndexOf('/') + 1)}</Code> },
      { header: 'Events', width: '6rem', isNumber: true, cell: ({ events }) => events },
      { header: 'Size', width: '6rem', isNumber: true, cell: ({ bytes }) => sizeWords(Number(bytes)) },
      { header: 'Datasource', width: '9rem', cell: ({ datasourceId }) => datasourceId },
      {
        header: 'Written',
        width: '12rem',
        cell: ({ doneAt }) => <Moment at={doneAt} none="Being written" show="seconds" />,
      },
      { header: 'Note', cell: ({ note }) => note },
    ]}
    empty={{
      icon: IconFile,
      title: 'No files yet',
      children: 'The first file is written as soon as there are events to export.',
    }}
  />
)

function RunNow({ exporter: { exportId, displayName } }: { exporter: Exporter }): ReactNode {
  const run = useChange(exportsRun, { changes: changed, done: `Running ${displayName}` })
  return (
    <Button variant="default" loading={run.isPending} onClick={() => run.mutate({ path: { export_id: exportId } })}>
      Run now
    </Button>
  )
}

function ChangeExport({ exporter }: { exporter: Exporter }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const update = useChange(exportUpdate, {
    changes: changed,
    done: 'Saved',
    onDone: () => setOpen(false),
  })
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Edit
      </Button>
      {isOpen && (
        <ExportForm
          title={`Edit ${exporter.displayName}`}
          verb="Save"
          at="exporter."
          before={exporter}
          isPending={update.isPending}
          error={update.error}
          onClose={() => {
            update.reset()
            setOpen(false)
          }}
          onSubmit={(fields) =>
            update.mutate({
              path: { export_id: exporter.exportId },
              body: { exporter: fields, updateMask: 'displayName,datasource' },
            })
          }
        />
      )}
    </>
  )
}
