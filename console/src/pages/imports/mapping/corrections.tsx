import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { counted } from '../../../parts/bulk/bulk-dialog.tsx'
import type { Mapping } from './guess.ts'
import classes from './map-file.module.css'
import type { Problem } from './reader.ts'
import type { FileTable, Row } from './table.ts'

type CorrectionsProps = {
  problems: readonly Problem[]
  table: FileTable
  rows: readonly Row[]
  mapping: Mapping
  onCorrect: (row: number, column: number, value: string) => void
  onLeaveOut: (row: number) => void
}

const shownMax = 25

/** The rows that are refused, with the cells that it is about: they are corrected here, and checked again. */
export function Corrections({ problems, table, rows, mapping, onCorrect, onLeaveOut }: CorrectionsProps): ReactNode {
  const [shown, setShown] = useState(shownMax)
  const byRow = [...Map.groupBy(problems, ({ row }) => row)].toSorted(([a], [b]) => a - b)
  return (
    <Alert
      color="red"
      role="alert"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={`${counted(byRow.length, 'row')} to correct. Nothing was imported`}
    >
      <Text size="sm">Correct the cells here, or leave rows out, and check again. The file itself is not changed.</Text>
      {byRow.slice(0, shown).map(([row, some]) => (
        <Wrong
          key={row}
          row={row}
          line={rows[row]?.line ?? 0}
          problems={some}
          cells={rows[row]?.cells ?? []}
          columns={columnsOf(some, mapping)}
          header={table.header}
          onCorrect={(column, value) => onCorrect(row, column, value)}
          onLeaveOut={() => onLeaveOut(row)}
        />
      ))}
      {byRow.length > shown && (
        <Button variant="default" size="xs" mt="sm" onClick={() => setShown(shown + shownMax)}>
          Show more ({byRow.length - shown})
        </Button>
      )}
    </Alert>
  )
}

/** The columns that problems are about; if none of them is in the file, those that identify the row. */
function columnsOf(problems: readonly Problem[], { targets }: Mapping): number[] {
  const fields = new Set(problems.flatMap(({ fields: some }) => some))
  const all = targets.flatMap((target, at) => (target === '' ? [] : [at]))
  const about = all.filter((at) => fields.has(targets[at] ?? ''))
  return about.length > 0 ? about : all.slice(0, 2)
}

type WrongProps = {
  row: number
  line: number
  problems: readonly Problem[]
  cells: readonly string[]
  columns: readonly number[]
  header: readonly string[]
  onCorrect: (column: number, value: string) => void
  onLeaveOut: () => void
}

const Wrong = ({ row, line, problems, cells, columns, header, onCorrect, onLeaveOut }: WrongProps): ReactNode => (
  <fieldset className={classes.row}>
    <Text component="legend" size="sm" fw={600} className={classes.legend}>
      Row {row + 1} (line {line}): {[...new Set(problems.map(({ text }) => text))].join('; ')}
    </Text>
    <div className={classes.cells}>
      {columns.map((column) => (
        <TextInput
          key={column}
          label={header[column]}
          value={cells[column] ?? ''}
          onChange={({ currentTarget: { value } }) => onCorrect(column, value)}
        />
      ))}
      <Stack justify="flex-end">
        <Button variant="default" onClick={onLeaveOut} style={{ alignSelf: 'flex-start' }}>
          Leave row {row + 1} out
        </Button>
      </Stack>
    </div>
  </fieldset>
)
