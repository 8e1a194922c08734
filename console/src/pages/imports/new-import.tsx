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

type ImportOptions = { kind: Kind; app: string; isFull: boolean; isForced: boolean }

/** A file, the options of its import, a dry run, and the import itself. */
export function NewImport(): ReactNode {
  const client = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const [options, setOptions] = useState<ImportOptions>({
    kind: 'unspecified',
    app: '',
    isFull: false,
    isForced: false,
  })
  const [sent, setSent] = useState(0)
  const abort = useRef<AbortController | null>(null)

  const run = useMutation({
    async mutationFn({ of, isDryRun }: { of: File; isDryRun: boolean }): Promise<Import | null> {
      setSent(0)
      abort.current = new AbortController()
      const { kind, app, isFull, isForced } = options
      const how = isC1z(of) ? { app } : { kind }
      const query = { ...how, full: isFull, force: isForced, dry_run: isDryRun }
      const sending = { type: typeOf(of), onSent: setSent, signal: abort.current.signal }
      return (await upload(importCreate, { query, file: of }, sending)).import
    },
    async onSuccess(done) {
      if (!done || done.isDryRun) return
      notifications.show({ message: `Imported: ${countWords(done.counts)}`, color: 'teal' })
      setFile(null)
      // Anything may have changed.
      await client.invalidateQueries()
      await client.invalidateQueries({ queryKey: [importList.id] })
    },
  })
  const choose = (chosen: File | null): void => {
    run.reset()
    setFile(chosen)
    if (chosen && isC1z(chosen)) setOptions((before) => ({ ...before, app: chosen.name.replace(/\.c1z$/i, '') }))
  }
  const tried = run.data?.isDryRun ? run.data : null
  const refused = run.error instanceof ApiError && run.error.reason === 'IMPORT_REFUSED' ? run.error : null
  const isCancelled = run.error?.name === 'AbortError'

  return (
    <Stack>
      <FileDrop file={file} onFile={choose} isDisabled={run.isPending} />
      {file && (
        <>
          <Options
            options={options}
            onChange={(changed) => {
              // The result of a dry run does not apply to other options.
              run.reset()
              setOptions((before) => ({ ...before, ...changed }))
            }}
            hasApp={isC1z(file)}
            isDisabled={run.isPending}
          />
          {run.isPending ? (
            <Running sent={sent} isDryRun={run.variables.isDryRun} onCancel={() => abort.current?.abort()} />
          ) : (
            <Buttons
              isTried={tried !== null}
              isRefused={refused !== null}
              onRun={(isDryRun) => run.mutate({ of: file, isDryRun })}
            />
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

type OptionsProps = {
  options: ImportOptions
  onChange: (changed: Partial<ImportOptions>) => void
  hasApp: boolean
  isDisabled: boolean
}

/** The options of the import. */
const Options = ({ options, onChange, hasApp, isDisabled }: OptionsProps): ReactNode => (
  <Group align="flex-end" gap="lg">
    {hasApp ? (
      <TextInput
        label="App"
        description="Its ID or external ID. If the app does not exist, it is created."
        value={options.app}
        onChange={({ currentTarget: { value } }) => onChange({ app: value })}
        disabled={isDisabled}
        maxLength={500}
        required
      />
    ) : (
      <NativeSelect
        label="Record type"
        value={options.kind}
        onChange={({ currentTarget: { value } }) => onChange({ kind: value as Kind })}
        data={Object.entries(kindNames).map(([value, label]) => ({ value, label }))}
        disabled={isDisabled}
      />
    )}
    <Stack gap={6} pb={4}>
      <Checkbox
        label="Remove previously imported records that are not in this file"
        checked={options.isFull}
        onChange={({ currentTarget: { checked } }) => onChange({ isFull: checked })}
        disabled={isDisabled}
      />
      {options.isFull && (
        <Checkbox
          label="Even if these are more than 20% of the records of a type"
          checked={options.isForced}
          onChange={({ currentTarget: { checked } }) => onChange({ isForced: checked })}
          disabled={isDisabled}
        />
      )}
    </Stack>
  </Group>
)

type ButtonsProps = { isTried: boolean; isRefused: boolean; onRun: (isDryRun: boolean) => void }

const Buttons = ({ isTried, isRefused, onRun }: ButtonsProps): ReactNode => (
  <Group>
    <Button variant={isTried ? 'default' : 'filled'} onClick={() => onRun(true)}>
      {isTried ? 'Repeat dry run' : 'Dry run'}
    </Button>
    <Button variant={isTried ? 'filled' : 'default'} onClick={() => onRun(false)} disabled={isRefused}>
      Import
    </Button>
    <Text size="sm" c="dimmed">
      {isTried ? 'Nothing has been changed yet.' : 'Shows what would change, saves nothing.'}
    </Text>
  </Group>
)

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
