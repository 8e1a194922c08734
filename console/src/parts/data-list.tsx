import { Button, NativeSelect } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Operation } from '#client/operation.ts'
import { read } from '../client/queries.ts'
import classes from './data-list.module.css'
import { DensityToggle } from './density-toggle.tsx'
import { EmptyNote, type EmptyNoteProps } from './empty-note.tsx'
import { ErrorNote } from './error-note.tsx'
import { ListExport } from './list-export.tsx'
import { FilterBar, type FilterBy } from './list-filters.tsx'
import type { ListKind } from './list-kinds.ts'
import { SearchField } from './list-search.tsx'
import { type Selection, SelectionBar, useChosen } from './list-selection.tsx'
import { type ListState, useListState } from './list-state.ts'
import { useTotal } from './list-total.ts'
import { SaveView, useListViews, ViewTabs } from './list-views.tsx'
import { Pager } from './pager.tsx'
import { type Column, Table } from './table.tsx'

type Paged = { nextPageToken: string }
export type Asked = Pick<ListState, 'query' | 'pageSize' | 'pageToken' | 'filter' | 'values' | 'orderBy'>

type DataListProps<Input, Reply extends Paged, Row> = {
  /** What the table shows, for screen readers. */
  caption: string
  operation: Operation<Input, Reply>
  input: (asked: Asked) => Input
  rows: (reply: Reply) => readonly Row[]
  keyOf: (row: Row) => string
  /** The first column names the row. */
  columns: readonly Column<Row>[]
  /** The placeholder of the search field; without it there is no field. */
  search?: string
  /** The search field has a separate line: beside many filters its text would be cut off. */
  hasWideSearch?: boolean
  filters?: ReactNode
  /** The properties that it can be filtered by. */
  filterBy?: readonly FilterBy[]
  /** Which list of the API it is, for its total and its export; without it, it has neither. */
  kind?: ListKind
  /** How many there are, if the page knows it from elsewhere. */
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

/** The order of the list, in a narrow window, which has no headers. */
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
