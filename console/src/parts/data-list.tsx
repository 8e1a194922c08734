/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/control-has-associated-label --
   in narrow windows the parts of the table are blocks, which have no roles of their own */
import { Button, Checkbox, Group, NativeSelect, Skeleton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconArrowDown, IconArrowUp, IconSearch, IconSearchOff } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Operation } from '#client/operation.ts'
import { read } from '../client/queries.ts'
import classes from './data-list.module.css'
import { useDensity } from './density.ts'
import { DensityToggle } from './density-toggle.tsx'
import { EmptyNote, type EmptyNoteProps } from './empty-note.tsx'
import { ErrorNote } from './error-note.tsx'
import { ListExport } from './list-export.tsx'
import { FilterBar, type FilterBy } from './list-filters.tsx'
import type { ListKind } from './list-kinds.ts'
import { type Chosen, type Selection, SelectionBar, useChosen } from './list-selection.tsx'
import { type ListState, pageBefore, pageSizes, pagesBefore, rememberPage, useListState } from './list-state.ts'
import { useTotal } from './list-total.ts'
import { SaveView, useListViews, ViewTabs } from './list-views.tsx'

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

type Paged = { nextPageToken: string }
export type Asked = Pick<ListState, 'query' | 'pageSize' | 'pageToken' | 'filter' | 'values' | 'orderBy'>

type DataListProps<Input, Reply extends Paged, Row> = {
  /** What the table is of, for those who do not see it. */
  caption: string
  operation: Operation<Input, Reply>
  input: (asked: Asked) => Input
  rows: (reply: Reply) => readonly Row[]
  keyOf: (row: Row) => string
  /** The first column names the row. */
  columns: readonly Column<Row>[]
  /** The words in the search field; no field without. */
  search?: string
  /** The search field has a line of its own: beside many filters its words would be cut off. */
  hasWideSearch?: boolean
  filters?: ReactNode
  /** The properties that it can be filtered by. */
  filterBy?: readonly FilterBy[]
  /** Which list of the API it is, for its total and its export; without, it has neither. */
  kind?: ListKind
  /** How many there are, where the page knows it from elsewhere. */
  total?: string
  /** A column of checkboxes, and what can be done with the rows that are chosen. */
  selection?: Selection<Row>
  empty: EmptyNoteProps
}

/** A list of the API: its page, its search and its filters are in the address. */
export function DataList<Input, Reply extends Paged, Row>(props: DataListProps<Input, Reply, Row>): ReactNode {
  const state = useListState()
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery({
    ...read(props.operation, props.input(state)),
    placeholderData: keepPreviousData,
  })
  const rows = data ? props.rows(data) : []
  const total = useTotal(props.kind, props.input(state), data !== undefined && !isPlaceholderData)
  const canSort = props.columns.some(({ sort }) => sort)
  const hasTools = Boolean(props.search || props.filters || props.filterBy || props.kind)
  const views = useListViews(state, hasTools || canSort)
  const chosen = useChosen(props.keyOf, state.scope)
  const isEmpty = data !== undefined && rows.length === 0

  return (
    <div className={classes.list} data-list>
      {views && <ViewTabs of={views} />}
      {hasTools && (
        <div className={classes.tools} role="search">
          {props.search && <SearchField state={state} label={props.search} isWide={props.hasWideSearch ?? false} />}
          {props.filters}
          {props.filterBy && <FilterBar state={state} filterBy={props.filterBy} />}
          <div className={classes.ends}>
            {canSort && <SortField state={state} columns={props.columns} />}
            {views && <SaveView of={views} />}
            {props.kind && <ListExport kind={props.kind} input={props.input(state)} />}
            <DensityToggle className={classes.density ?? ''} />
          </div>
        </div>
      )}
      {error ? (
        <div className={classes.note}>
          <ErrorNote error={error} title="This list could not be loaded" retry={() => void refetch()} />
          {state.pageToken && (
            <Button variant="subtle" size="xs" mt="sm" onClick={() => state.turnTo('')}>
              Go to the first page
            </Button>
          )}
        </div>
      ) : isEmpty ? (
        <Nothing state={state} empty={props.empty} />
      ) : (
        <Table
          {...props}
          rows={rows}
          isPending={isPending}
          isStale={isPlaceholderData}
          sorting={state}
          {...(props.selection && { choosing: { ...chosen, labelOf: props.selection.labelOf } })}
        />
      )}
      {props.selection && <SelectionBar chosen={chosen} actions={props.selection.actions} />}
      {data && !error && (rows.length > 0 || state.pageToken) && (
        <Pager
          state={state}
          count={rows.length}
          next={isPlaceholderData ? '' : data.nextPageToken}
          total={props.total ?? total}
        />
      )}
    </div>
  )
}

const typingMs = 250

type SearchFieldProps = { state: ListState; label: string; isWide: boolean }

function SearchField({ state, label, isWide }: SearchFieldProps): ReactNode {
  const [typed, setTyped] = useState(state.query)
  const sent = useRef(state.query)
  const router = useRouter()
  const send = useDebouncedCallback((value: string) => {
    // Whoever has followed a link meanwhile is not held back, however long its page takes to load.
    if (router.latestLocation.pathname !== router.state.resolvedLocation?.pathname) return
    sent.current = value
    state.set({ q: value }, true)
  }, typingMs)
  // Going back, or a link, changes the address without anyone typing.
  useEffect(() => {
    if (state.query !== sent.current) setTyped(state.query)
    sent.current = state.query
  }, [state.query])
  return (
    <TextInput
      className={`${classes.search} ${isWide ? classes.wide : ''}`}
      type="search"
      placeholder={label}
      aria-label={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        send(value)
      }}
    />
  )
}

/** In a narrow window, where no headers are: what the list is sorted by. */
const SortField = <Row,>({ state, columns }: { state: ListState; columns: readonly Column<Row>[] }): ReactNode => (
  <NativeSelect
    className={classes.narrowSort}
    aria-label="Sort by"
    value={state.sort.isDescending ? `-${state.sort.key}` : state.sort.key}
    onChange={({ currentTarget: { value } }) => state.set({ sort: value })}
    data={[
      { value: '', label: 'Default order' },
      ...columns.flatMap(({ header, sort }) =>
        sort
          ? [
              { value: sort, label: header },
              { value: `-${sort}`, label: `${header}, descending` },
            ]
          : [],
      ),
    ]}
  />
)

const Nothing = ({ state, empty }: { state: ListState; empty: EmptyNoteProps }): ReactNode => {
  if (state.isFiltered)
    return (
      <EmptyNote
        icon={IconSearchOff}
        title="No results"
        action={
          <Button variant="default" onClick={state.clear}>
            Clear filters
          </Button>
        }
      >
        Change the search or clear the filters.
      </EmptyNote>
    )
  return <EmptyNote {...empty} />
}

type TableProps<Row> = {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  isPending: boolean
  isStale: boolean
  /** What it is sorted by; without, no column can be sorted by. */
  sorting?: Pick<ListState, 'sort' | 'sortBy'>
  choosing?: Chosen<Row> & { labelOf: (row: Row) => string }
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
              <tr key={row} role="row">
                {choosing && <td role="cell" data-choose />}
                {columns.map(({ header }, column) => (
                  <td key={header} role="cell">
                    <Skeleton width={`${40 + ((row * 7 + column * 13) % 45)}%`} my={4} />
                  </td>
                ))}
              </tr>
            ))
          : rows.map((row) => (
              // A row is a larger target for its own link, which is what the keyboard and screen readers use.
              <tr key={keyOf(row)} role="row" onClick={openRow} onAuxClick={openRow}>
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
            ))}
      </tbody>
    </table>
  )
}

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

/** A click anywhere in a row opens what its first column leads to; not one on something that can be used itself, nor one that selects text. */
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

type PagerProps = { state: ListState; count: number; next: string; total: string }

/** `26–50 of 1,234`; without where it begins for whoever came by a link into the middle. */
function countWords({ state, count, next, total }: PagerProps): string {
  const pages = pagesBefore(state.pageToken)
  const isOnly = state.pageToken === '' && next === ''
  const first = (pages ?? 0) * state.pageSize + 1
  const shown = `${first.toLocaleString()}–${(first + count - 1).toLocaleString()}`
  if (isOnly || pages === null) {
    const rows = `${count.toLocaleString()} ${count === 1 ? 'row' : 'rows'}`
    return isOnly || total === '' ? rows : `${rows} of ${total}`
  }
  return total === '' ? shown : `${shown} of ${total}`
}

function Pager(props: PagerProps): ReactNode {
  const { state, next } = props
  const { pageToken } = state
  const before = pageToken === '' ? undefined : pageBefore(pageToken)
  const isOnly = pageToken === '' && next === ''
  const turn = (to: string): void => {
    state.turnTo(to)
    window.scrollTo({ top: 0 })
  }
  return (
    <nav className={classes.pager} aria-label="Pages">
      <span className={classes.count} aria-live="polite">
        {countWords(props)}
      </span>
      {!(isOnly && state.pageSize === pageSizes[0]) && (
        <Group gap="xs">
          <NativeSelect
            size="xs"
            aria-label="Rows per page"
            value={String(state.pageSize)}
            onChange={({ currentTarget: { value } }) => state.set({ size: value })}
            data={pageSizes.map((size) => ({ value: String(size), label: `${size} per page` }))}
          />
          {pageToken !== '' && before === undefined && (
            <Button size="xs" variant="default" onClick={() => turn('')}>
              First page
            </Button>
          )}
          <Button size="xs" variant="default" disabled={before === undefined} onClick={() => turn(before ?? '')}>
            Previous
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={next === ''}
            onClick={() => {
              rememberPage(next, pageToken)
              turn(next)
            }}
          >
            Next
          </Button>
        </Group>
      )}
    </nav>
  )
}
