import { Anchor, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Import } from '#client/api/types.ts'
import { ApiError } from '#client/api-error.ts'
import { counted } from '../../../parts/bulk/bulk-dialog.tsx'
import { ChoiceField } from '../../../parts/choice-field.tsx'
import { ErrorNote } from '../../../parts/error-note.tsx'
import { Running } from '../running.tsx'
import { Columns } from './columns.tsx'
import { Corrections } from './corrections.tsx'
import type { FileKind } from './fields.ts'
import type { Mapping } from './guess.ts'
import { keepMapping, proposalFor } from './kept.ts'
import { columnProblems, fileProblem } from './mapping-problems.ts'
import { Outcome } from './outcome.tsx'
import type { Options } from './reader.ts'
import { delimiterNames, type FileTable } from './table.ts'
import { type Checked, useCheck } from './use-check.ts'

type Choice = { key: Options['key']; isFull: boolean; isForced: boolean }

type MapFileProps = {
  table: FileTable
  kind: FileKind
  /** For members: the app. Without its name, nothing is checked. */
  app?: { key: string; name: string }
  /** Instead of mapping its columns. */
  onAsIs?: () => void
  onDone: (done: Import) => void
}

/** What was chosen for a file, and what a check of it found: a change of the columns makes the check void, a correction outdated. */
function useMapFile({ table, kind, app, onDone }: MapFileProps) {
  const [proposed] = useState(() => proposalFor(table, kind))
  const [mapping, setMapping] = useState(proposed.mapping)
  const [rows, setRows] = useState(table.rows)
  const [choices, setChoices] = useState<Choice>({ key: 'employeeId', isFull: false, isForced: false })
  const [checked, setChecked] = useState<Checked | null>(null)
  const [isStale, setStale] = useState(false)
  const { run, sent, cancel } = useCheck((result) => {
    setChecked(result)
    setStale(false)
    if (!result.done || result.done.isDryRun) return
    keepMapping(table.header, kind, mapping)
    onDone(result.done)
  })
  const forget = (): void => {
    setChecked(null)
    run.reset()
  }
  const { isFull, isForced } = choices
  const key = mapping.targets.includes('employeeId') ? choices.key : 'email'
  const options: Options = { kind, key, ...(app && { app }) }
  return {
    isKept: proposed.isKept,
    mapping,
    rows,
    choices,
    checked,
    run,
    sent,
    cancel,
    /** What the check found, if it still holds. */
    ready: isStale ? null : (checked?.done ?? null),
    start: (isDryRun: boolean): void => run.mutate({ rows, mapping, options, isFull, isForced, isDryRun }),
    map(next: Mapping): void {
      setMapping(next)
      forget()
    },
    choose(next: Partial<Choice>): void {
      setChoices({ ...choices, ...next })
      forget()
    },
    correct(row: number, column: number, value: string): void {
      setRows(rows.with(row, correct(rows[row] as FileTable['rows'][number], column, value)))
      setStale(true)
    },
    leaveOut(row: number): void {
      setRows(rows.toSpliced(row, 1))
      if (checked) setChecked(withoutRow(checked, row))
      setStale(true)
    },
  }
}

/** A file with columns of any name: what they become, what an import would do, corrections in place, and the import. */
export function MapFile(props: MapFileProps): ReactNode {
  const { table, kind, app, onAsIs } = props
  const of = useMapFile(props)
  const { mapping, rows, checked, run, ready } = of
  const lacks = fileProblem(mapping, kind)
  const isBlocked = lacks !== null || columnProblems(mapping).some((problem) => problem !== '') || app?.name === ''
  const isTooMuch = run.error instanceof ApiError && run.error.reason === 'IMPORT_REMOVES_TOO_MUCH'
  return (
    <Stack>
      <Read table={table} isKept={of.isKept} {...(onAsIs && { onAsIs })} />
      <Columns table={table} kind={kind} mapping={mapping} onChange={of.map} />
      {kind === 'people' && (
        <Choices
          mapping={mapping}
          choices={of.choices}
          mayForce={isTooMuch || of.choices.isForced}
          onChange={of.choose}
        />
      )}
      {lacks && (
        <Text size="sm" c="red">
          {lacks}
        </Text>
      )}
      {run.isPending ? (
        <Running sent={of.sent} isDryRun={run.variables.isDryRun} onCancel={of.cancel} />
      ) : (
        <Buttons isChecked={checked !== null} isReady={ready !== null} isBlocked={isBlocked} onStart={of.start} />
      )}
      {run.error?.name === 'AbortError' ? (
        <Text size="sm">Cancelled. Nothing was imported.</Text>
      ) : (
        <ErrorNote error={run.error} title="The file was not imported" />
      )}
      {checked && checked.problems.length > 0 && (
        <Corrections
          problems={checked.problems}
          table={table}
          rows={rows}
          mapping={mapping}
          onCorrect={of.correct}
          onLeaveOut={of.leaveOut}
        />
      )}
      {checked && ready && (
        <Outcome
          done={ready}
          records={checked.records}
          nameOfRow={(row) => nameIn(rows[row]?.cells ?? [], mapping)}
          left={table.rows.length - rows.length}
        />
      )}
    </Stack>
  )
}

type ButtonsProps = {
  isChecked: boolean
  isReady: boolean
  isBlocked: boolean
  onStart: (isDryRun: boolean) => void
}

const Buttons = ({ isChecked, isReady, isBlocked, onStart }: ButtonsProps): ReactNode => (
  <Group>
    <Button variant={isReady ? 'default' : 'filled'} disabled={isBlocked} onClick={() => onStart(true)}>
      {isChecked ? 'Check again' : 'Check'}
    </Button>
    <Button variant={isReady ? 'filled' : 'default'} disabled={!isReady || isBlocked} onClick={() => onStart(false)}>
      Import
    </Button>
    <Text size="sm" c="dimmed">
      {isReady ? 'Nothing has been changed yet.' : 'Shows what would change, saves nothing.'}
    </Text>
  </Group>
)

const correct = (row: FileTable['rows'][number], column: number, value: string): FileTable['rows'][number] => ({
  ...row,
  cells: row.cells.with(column, value),
})

/** The rows after one that was left out have moved up. */
const withoutRow = (checked: Checked, row: number): Checked => ({
  ...checked,
  problems: checked.problems
    .filter((problem) => problem.row !== row)
    .map((problem) => (problem.row > row ? { ...problem, row: problem.row - 1 } : problem)),
})

/** What a row is called: the name in it, or the email address. */
function nameIn(cells: readonly string[], { targets }: Mapping): string {
  const of = (name: string): string => cells[targets.indexOf(name)] ?? ''
  return of('displayName') || [of('firstName'), of('lastName')].filter(Boolean).join(' ') || of('email')
}

type ReadProps = { table: FileTable; isKept: boolean; onAsIs?: () => void }

/** How the file was read, so that a wrong delimiter or encoding is noticed. */
const Read = ({ table, isKept, onAsIs }: ReadProps): ReactNode => (
  <Text size="sm" c="dimmed">
    {counted(table.rows.length, 'row')}, {counted(table.header.length, 'column')}, separated by{' '}
    {delimiterNames[table.delimiter]}, {table.encoding}.{' '}
    {isKept ? 'The columns are mapped as you did last time.' : 'The columns are mapped by their names and values.'}{' '}
    {onAsIs && (
      <Anchor component="button" type="button" size="sm" onClick={onAsIs}>
        Import without mapping
      </Anchor>
    )}
  </Text>
)

type ChoicesProps = {
  mapping: Mapping
  choices: Choice
  mayForce: boolean
  onChange: (choices: Partial<Choice>) => void
}

const Choices = ({ mapping, choices, mayForce, onChange }: ChoicesProps): ReactNode => (
  <Stack gap="sm">
    {mapping.targets.includes('employeeId') && mapping.targets.includes('email') && (
      <div>
        <ChoiceField
          label="Recognize people by"
          value={choices.key}
          onChange={(key) => onChange({ key })}
          data={[
            { value: 'employeeId', label: 'Employee number' },
            { value: 'email', label: 'Email address' },
          ]}
        />
        <Text size="xs" c="dimmed" mt={4}>
          {choices.key === 'employeeId'
            ? 'Someone whose address changes stays the same person. Rows without a number are recognized by their email address.'
            : 'If somebody else gets the address later, they are taken for the same person.'}
        </Text>
      </div>
    )}
    <Checkbox
      label="Delete previously imported people who are not in this file"
      checked={choices.isFull}
      onChange={({ currentTarget: { checked } }) => onChange({ isFull: checked })}
    />
    {mayForce && (
      <Checkbox
        label="Even if these are more than 20% of them"
        checked={choices.isForced}
        onChange={({ currentTarget: { checked } }) => onChange({ isForced: checked })}
      />
    )}
    <Text size="xs" c="dimmed">
      Fields for which the file has no column are emptied for people who were imported before. The check shows whose.
    </Text>
  </Stack>
)
