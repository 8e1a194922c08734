import { Alert, Anchor, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Import } from '#client/api/types.ts'
import { Panel } from '../../../parts/panel.tsx'
import { countWords } from '../../imports/counts.tsx'
import { FileDrop } from '../../imports/file-drop.tsx'
import { MapFile } from '../../imports/mapping/map-file.tsx'
import { downloadTemplate } from '../../imports/mapping/template.ts'
import { useTable } from '../../imports/use-table.ts'
import { appKeyOf } from './app-key.ts'

/** An app from a file of its members: accounts, entitlements and who has them, completely or not at all. */
export function AppFromFile(): ReactNode {
  const [name, setName] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const [imported, setImported] = useState<Import | null>(null)
  const { table, note } = useTable(file)
  const key = appKeyOf(name)
  if (imported) return <Created name={name.trim()} done={imported} />
  return (
    <Panel title="An app from a file">
      <Stack>
        <TextInput
          label="Name of the app"
          description={key && `Imports call it ${key}. A later file of the app with this name updates it.`}
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
          maxLength={200}
          required
        />
        <FileDrop file={file} onFile={setFile} isDisabled={false} />
        {!file && (
          <Text size="sm">
            One row per member, with the roles or groups in one column, or one row for each of them.{' '}
            <Anchor component="button" type="button" size="sm" onClick={() => downloadTemplate('members')}>
              Download a template
            </Anchor>
          </Text>
        )}
        {note && <Text size="sm">{note}</Text>}
        {file && table === 'reading' && <Skeleton height={120} />}
        {file && table === null && !note && (
          <Text size="sm">
            This file is in the format of imports, which names its app itself: use{' '}
            <Anchor component={Link} to="/imports" size="sm">
              Imports
            </Anchor>
            .
          </Text>
        )}
        {file && table !== null && table !== 'reading' && (
          <MapFile
            key={`${file.name} ${file.lastModified} ${file.size}`}
            table={table}
            kind="members"
            app={{ key, name: name.trim() }}
            onDone={setImported}
          />
        )}
      </Stack>
    </Panel>
  )
}

const Created = ({ name, done }: { name: string; done: Import }): ReactNode => (
  <Alert color="teal" icon={<IconCircleCheck size={18} aria-hidden />} title={`Imported ${name}`} role="status">
    <Text size="sm">
      {countWords(done.counts)}.{' '}
      <Anchor component={Link} to={`/apps?q=${encodeURIComponent(name)}`} size="sm">
        Open it in the list of apps
      </Anchor>{' '}
      and set its owners: until it has a connector, they are asked to make changes in the app, and without owners nobody
      is.
    </Text>
  </Alert>
)
