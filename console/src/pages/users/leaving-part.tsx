import type { ReactNode } from 'react'
import { Panel } from '../../parts/panel.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import classes from './user-leaving.module.css'

type PartProps<Row> = {
  title: string
  about?: string | undefined
  rows: readonly Row[]
  keyOf: (row: Row) => string
  columns: readonly Column<Row>[]
}

/** One kind of what depends on them; nothing where there is none of it. */
export const Part = <Row,>({ title, about, rows, keyOf, columns }: PartProps<Row>): ReactNode =>
  rows.length > 0 && (
    <Panel title={`${title} (${rows.length.toLocaleString()})`} about={about}>
      <div className={classes.table}>
        <Table caption={title} columns={columns} rows={rows} keyOf={keyOf} isPending={false} isStale={false} />
      </div>
    </Panel>
  )
