import { Button, Group, NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './data-list.module.css'
import { type ListState, pageBefore, pageSizes, pagesBefore, rememberPage } from './list-state.ts'

type PagerProps = { state: ListState; count: number; next: string; total: string }

/** `26–50 of 1,234`; without its beginning, if a link led into the middle of the list. */
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

export function Pager(props: PagerProps): ReactNode {
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
