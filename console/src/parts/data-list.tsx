import { Button, Group, NativeSelect, Skeleton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch, IconSearchOff } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Operation } from '#client/operation.ts'
import { read } from '../client/queries.ts'
import classes from './data-list.module.css'
import { EmptyNote, type EmptyNoteProps } from './empty-note.tsx'
import { ErrorNote } from './error-note.tsx'
import { type ListState, pageBefore, pageSizes, rememberPage, useListState } from './list-state.ts'

export type Column<Row> = {
  header: string
  cell: (row: Row) => ReactNode
  /** As CSS has it; without, columns share what is left. */
  width?: string
  isNumber?: boolean
  /** What a screen reader calls a column of buttons. */
  isHidden?: boolean
}

type Paged = { nextPageToken: string }
export type Asked = Pick<ListState, 'query' | 'pageSize' | 'pageToken' | 'filter'>

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
  filters?: ReactNode
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
  const isEmpty = data !== undefined && rows.length === 0

  return (
    <div className={classes.list} data-list>
      {(props.search || props.filters) && (
        <div className={classes.tools} role="search">
          {props.search && <SearchField state={state} label={props.search} />}
          {props.filters}
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
        <Table {...props} rows={rows} isPending={isPending} isStale={isPlaceholderData} />
      )}
      {data && !error && (rows.length > 0 || state.pageToken) && (
        <Pager state={state} count={rows.length} next={isPlaceholderData ? '' : data.nextPageToken} />
      )}
    </div>
  )
}

const typingMs = 250

function SearchField({ state, label }: { state: ListState; label: string }): ReactNode {
  const [typed, setTyped] = useState(state.query)
  const sent = useRef(state.query)
  const send = useDebouncedCallback((value: string) => {
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
      className={classes.search}
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
}

const skeletonRows = 10

// The roles are spelled out because a narrow window lays the cells out as blocks, and a block is no cell.
export const Table = <Row,>({ caption, columns, rows, keyOf, isPending, isStale }: TableProps<Row>): ReactNode => (
  <table className={classes.table} role="table" aria-busy={isPending || isStale} data-stale={isStale}>
    <caption className={classes.caption}>{caption}</caption>
    <colgroup>
      {columns.map(({ header, width }) => (
        <col key={header} {...(width && { style: { width } })} />
      ))}
    </colgroup>
    <thead role="rowgroup">
      <tr role="row">
        {columns.map(({ header, isNumber, isHidden }) => (
          <th key={header} scope="col" role="columnheader" data-number={isNumber}>
            {isHidden ? <span className={classes.unseen}>{header}</span> : header}
          </th>
        ))}
      </tr>
    </thead>
    <tbody role="rowgroup">
      {isPending
        ? Array.from({ length: skeletonRows }, (_, row) => (
            <tr key={row} role="row">
              {columns.map(({ header }, column) => (
                <td key={header} role="cell">
                  <Skeleton width={`${40 + ((row * 7 + column * 13) % 45)}%`} my={4} />
                </td>
              ))}
            </tr>
          ))
        : rows.map((row) => (
            <tr key={keyOf(row)} role="row">
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

function Pager({ state, count, next }: { state: ListState; count: number; next: string }): ReactNode {
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
        {count} {count === 1 ? 'row' : 'rows'}
        {isOnly ? '' : ' on this page'}
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
