import { Alert, Button, Checkbox, Group, NativeSelect, Progress, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconCircleCheck } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { importCreate, importList } from '#client/api/operations.ts'
import type { Import, ImportCounts } from '#client/api/types.ts'
import { ApiError } from '#client/api-error.ts'
import { upload } from '../../client/upload.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Counts, countWords, kindNames, numberOf } from './counts.tsx'
import { FileDrop } from './file-drop.tsx'
import { RefusedLines } from './refused-lines.tsx'

type Kind = ImportCounts['kind']
const isC1z = (file: File): boolean => /\.c1z$/i.test(file.name)
const typeOf = (file: File): string =>
  isC1z(file) ? 'application/x-c1z' : /\.csv$/i.test(file.name) ? 'text/csv' : 'application/jsonl'

/** A file, how it is to be taken, a dry run of it, and the import itself. */
export function NewImport(): ReactNode {
  const client = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const [kind, setKind] = useState<Kind>('unspecified')
  const [app, setApp] = useState('')
  const [isFull, setFull] = useState(false)
  const [isForced, setForced] = useState(false)
  const [sent, setSent] = useState(0)
  const abort = useRef<AbortController | null>(null)

  const run = useMutation({
    async mutationFn({ of, isDryRun }: { of: File; isDryRun: boolean }): Promise<Import | null> {
      setSent(0)
      abort.current = new AbortController()
      const how = isC1z(of) ? { app } : { kind }
      const query = { ...how, full: isFull, force: isForced, dry_run: isDryRun }
      const options = { type: typeOf(of), onSent: setSent, signal: abort.current.signal }
      return (await upload(importCreate, { query, file: of }, options)).import
    },
    async onSuccess(done) {
      if (!done || done.isDryRun) return
      notifications.show({ message: `Imported: ${countWords(done.counts)}`, color: 'teal' })
      setFile(null)
      // Anything may be another now.
      await client.invalidateQueries()
      await client.invalidateQueries({ queryKey: [importList.id] })
    },
  })
  const choose = (chosen: File | null): void => {
    run.reset()
    setFile(chosen)
    if (chosen && isC1z(chosen)) setApp(chosen.name.replace(/\.c1z$/i, ''))
  }
  /** A dry run that was done says nothing about other options. */
  const change =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      run.reset()
      set(value)
    }
  const tried = run.data?.isDryRun ? run.data : null
  const refused = run.error instanceof ApiError && run.error.reason === 'IMPORT_REFUSED' ? run.error : null
  const isCancelled = run.error?.name === 'AbortError'

  return (
    <Stack>
      <FileDrop file={file} onFile={choose} isDisabled={run.isPending} />
      {file && (
        <>
          <Group align="flex-end" gap="lg">
            {isC1z(file) ? (
              <TextInput
                label="App"
                description="Its ID or external ID. If the app does not exist, it is created."
                value={app}
                onChange={({ currentTarget: { value } }) => change(setApp)(value)}
                disabled={run.isPending}
                maxLength={500}
                required
              />
            ) : (
              <NativeSelect
                label="Record type"
                value={kind}
                onChange={({ currentTarget: { value } }) => change(setKind)(value as Kind)}
                data={Object.entries(kindNames).map(([value, label]) => ({ value, label }))}
                disabled={run.isPending}
              />
            )}
            <Stack gap={6} pb={4}>
              <Checkbox
                label="Remove previously imported records that are not in this file"
                checked={isFull}
                onChange={({ currentTarget: { checked } }) => change(setFull)(checked)}
                disabled={run.isPending}
              />
              {isFull && (
                <Checkbox
                  label="Even if these are more than 20% of the records of a type"
                  checked={isForced}
                  onChange={({ currentTarget: { checked } }) => change(setForced)(checked)}
                  disabled={run.isPending}
                />
              )}
            </Stack>
          </Group>
          {run.isPending ? (
            <Running sent={sent} isDryRun={run.variables.isDryRun} onCancel={() => abort.current?.abort()} />
          ) : (
            <Group>
              <Button variant={tried ? 'default' : 'filled'} onClick={() => run.mutate({ of: file, isDryRun: true })}>
                {tried ? 'Repeat dry run' : 'Dry run'}
              </Button>
              <Button
                variant={tried ? 'filled' : 'default'}
                onClick={() => run.mutate({ of: file, isDryRun: false })}
                disabled={refused !== null}
              >
                Import
              </Button>
              <Text size="sm" c="dimmed">
                {tried ? 'Nothing has been changed yet.' : 'Shows what would change, saves nothing.'}
              </Text>
            </Group>
          )}
        </>
      )}
      {isCancelled && <Text size="sm">Cancelled. Nothing was imported.</Text>}
      {refused ? (
        <RefusedLines error={refused} />
      ) : (
        !isCancelled && <ErrorNote error={run.error} title="The file was not imported" />
      )}
      {run.data && <Done done={run.data} />}
    </Stack>
  )
}

function Running({ sent, isDryRun, onCancel }: { sent: number; isDryRun: boolean; onCancel: () => void }): ReactNode {
  const isSending = sent < 1
  const percent = Math.round(sent * 100)
  return (
    <div>
      <Group justify="space-between" mb={6}>
        <Text size="sm" role="status">
          {isSending ? `Sending the file: ${percent}%` : isDryRun ? 'Dry run…' : 'Importing…'}
        </Text>
        <Button size="compact-sm" variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
      <Progress value={isSending ? percent : 100} animated={!isSending} aria-label="Progress of the import" />
    </div>
  )
}

const Done = ({ done }: { done: Import }): ReactNode => (
  <Stack gap="sm">
    <Alert
      color={done.isDryRun ? 'ink' : 'teal'}
      icon={<IconCircleCheck size={18} aria-hidden />}
      title={done.isDryRun ? 'Dry run: nothing was saved' : 'Imported'}
      role="status"
    >
      {numberOf(done.lineCount)} {done.format === 'c1z' ? 'records' : 'lines'}. {countWords(done.counts)}.
      {done.ignoredFields.length > 0 && ` Ignored unknown fields: ${done.ignoredFields.join(', ')}.`}
      {done.notes.length > 0 && ` ${done.notes.join(' ')}`}
    </Alert>
    <Counts counts={done.counts} caption={done.isDryRun ? 'What the import would change' : 'Changes by the import'} />
  </Stack>
)
