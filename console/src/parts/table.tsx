/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/control-has-associated-label --
   in narrow windows the parts of the table are blocks, which have no roles of their own */
import { Checkbox, Skeleton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { MouseEvent, ReactNode } from 'react'
import classes from './data-list.module.css'
import { useDensity } from './density.ts'
import type { Chosen } from './list-selection.tsx'
import type { ListState } from './list-state.ts'

export type Column<Row> = {
  header: string
  cell: (row: Row) => ReactNode
  /** As CSS has it; without, columns share what is left. */
  width?: string
  isNumber?: boolean
  /** What a screen reader calls a column of buttons. */
  isHidden?: boolean
  /** The API's key to sort by this column, as `orderBy` of the operation takes it. */
  sort?: string
}

/** The same columns, of an operation that has no order of its choice. */
export const unsorted = <Row,>(columns: readonly Column<Row>[]): readonly Column<Row>[] =>
  columns.map((column) => ({ ...column, sort: '' }))

type Choosing<Row> = Chosen<Row> & { labelOf: (row: Row) => string }

type TableProps<Row> = {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  isPending: boolean
  isStale: boolean
  /** What it is sorted by; without, no column can be sorted by. */
  sorting?: Pick<ListState, 'sort' | 'sortBy'>
  choosing?: Choosing<Row>
}

const skeletonRows = 10

// The roles are spelled out because a narrow window lays the cells out as blocks, and a block is no cell.
export const Table = <Row,>({
  caption,
  columns,
  rows,
  keyOf,
  isPending,
  isStale,
  sorting,
  choosing,
}: TableProps<Row>): ReactNode => {
  const { density } = useDensity()
  return (
    <table
      className={classes.table}
      role="table"
      aria-busy={isPending || isStale}
      data-stale={isStale}
      data-density={density}
    >
      <caption className={classes.caption}>{caption}</caption>
      <colgroup>
        {choosing && <col style={{ width: '2.75rem' }} />}
        {columns.map(({ header, width }) => (
          <col key={header} {...(width && { style: { width } })} />
        ))}
      </colgroup>
      <thead role="rowgroup">
        <tr role="row">
          {choosing && (
            <th scope="col" role="columnheader" data-choose>
              <ChooseAll rows={rows} choosing={choosing} />
            </th>
          )}
          {columns.map((column) => (
            <Header key={column.header} column={column} {...(sorting && { sorting })} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {isPending
          ? Array.from({ length: skeletonRows }, (_, row) => (
              <SkeletonRow key={row} row={row} columns={columns} hasChoice={choosing !== undefined} />
            ))
          : rows.map((row) => <BodyRow key={keyOf(row)} row={row} columns={columns} choosing={choosing} />)}
      </tbody>
    </table>
  )
}

type SkeletonRowProps<Row> = { row: number; columns: readonly Column<Row>[]; hasChoice: boolean }

const SkeletonRow = <Row,>({ row, columns, hasChoice }: SkeletonRowProps<Row>): ReactNode => (
  <tr role="row">
    {hasChoice && <td role="cell" data-choose />}
    {columns.map(({ header }, column) => (
      <td key={header} role="cell">
        <Skeleton width={`${40 + ((row * 7 + column * 13) % 45)}%`} my={4} />
      </td>
    ))}
  </tr>
)

type BodyRowProps<Row> = { row: Row; columns: readonly Column<Row>[]; choosing: Choosing<Row> | undefined }

/** A row is a larger target for its own link, which is what the keyboard and screen readers use. */
const BodyRow = <Row,>({ row, columns, choosing }: BodyRowProps<Row>): ReactNode => (
  <tr role="row" onClick={openRow} onAuxClick={openRow}>
    {choosing && (
      <td role="cell" data-choose>
        <Checkbox
          size="xs"
          aria-label={`Select ${choosing.labelOf(row)}`}
          checked={choosing.has(row)}
          onChange={() => choosing.toggle([row], !choosing.has(row))}
        />
      </td>
    )}
    {columns.map(({ header, cell, isNumber, isHidden }, column) =>
      column === 0 ? (
        <th key={header} scope="row" role="rowheader" tabIndex={-1}>
          {cell(row)}
        </th>
      ) : (
        <td
          key={header}
          role="cell"
          {...(isHidden ? { 'data-actions': true } : { 'data-label': header })}
          data-number={isNumber}
        >
          {cell(row)}
        </td>
      ),
    )}
  </tr>
)

const ChooseAll = <Row,>({ rows, choosing }: { rows: readonly Row[]; choosing: Chosen<Row> }): ReactNode => {
  const count = rows.filter(choosing.has).length
  return (
    <Checkbox
      size="xs"
      aria-label="Select all rows on this page"
      checked={rows.length > 0 && count === rows.length}
      indeterminate={count > 0 && count < rows.length}
      onChange={() => choosing.toggle(rows, count < rows.length)}
    />
  )
}

type HeaderProps<Row> = { column: Column<Row>; sorting?: Pick<ListState, 'sort' | 'sortBy'> }

const Header = <Row,>({ column: { header, isNumber, isHidden, sort }, sorting }: HeaderProps<Row>): ReactNode => {
  if (!sort || !sorting)
    return (
      <th scope="col" role="columnheader" data-number={isNumber}>
        {isHidden ? <span className={classes.unseen}>{header}</span> : header}
      </th>
    )
  const direction = sorting.sort.key === sort ? (sorting.sort.isDescending ? 'descending' : 'ascending') : 'none'
  const Arrow = direction === 'descending' ? IconArrowDown : IconArrowUp
  return (
    <th scope="col" role="columnheader" data-number={isNumber} aria-sort={direction}>
      <button type="button" className={classes.sort} onClick={() => sorting.sortBy(sort)} title={`Sort by ${header}`}>
        {header}
        <Arrow size={14} aria-hidden data-arrow={direction} />
      </button>
      <span className={classes.narrowName}>{header}</span>
    </th>
  )
}

const interactive =
  'a, button, input, select, textarea, label, summary, [role="button"], [role="menuitem"], [contenteditable]'

/**
 * A click anywhere in a row opens what its first column leads to; not a click on an interactive element, nor one that
 * selects text.
 */
function openRow(event: MouseEvent<HTMLTableRowElement>): void {
  const { currentTarget: row, target, button, defaultPrevented } = event
  const isMiddle = button === 1
  if (defaultPrevented || (button !== 0 && !isMiddle) || event.altKey || event.shiftKey) return
  // Menus and dialogs of a cell are elsewhere in the document, and their clicks arrive here all the same.
  if (!(target instanceof Element) || !row.contains(target) || target.closest(interactive)) return
  const selected = window.getSelection()
  if (!isMiddle && selected && !selected.isCollapsed && selected.containsNode(row, true)) return
  const link = row.querySelector<HTMLElement>('th[scope="row"] a[href], th[scope="row"] [data-opens]')
  if (!link) return
  const isApart = isMiddle || event.ctrlKey || event.metaKey
  if (!isApart) link.click()
  else if (link instanceof HTMLAnchorElement) window.open(link.href, '_blank', 'noopener')
}
