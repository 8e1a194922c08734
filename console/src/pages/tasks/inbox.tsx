import { Button } from '@mantine/core'
import { IconChecks, IconKeyboard } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { taskInboxGet, taskSearch } from '#client/api/operations.ts'
import type { TaskInboxGetResponse } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Page } from '../../parts/page.tsx'
import { openShortcuts, useShortcuts } from '../../parts/shortcuts.ts'
import { Decide } from './decide.tsx'
import type { Decision } from './deciding.ts'
import { columnsFor } from './inbox-columns.tsx'
import { InboxFilters, inputFor } from './inbox-filters.tsx'
import { currentRow, moveBy, openRow } from './row-focus.ts'
import { type SeenTask, seenTasks } from './seen-task.ts'
import { pageSizeMax, SelectedBar, useSelectedTasks } from './selected-tasks.tsx'
import { counted } from './words.ts'

type Deciding = { tasks: readonly SeenTask[]; decision: Decision }

const aboutWords = (inbox: TaskInboxGetResponse | undefined): string =>
  inbox && inbox.total > 0
    ? `${inbox.isMore ? 'More than ' : ''}${counted(inbox.total, 'task')} ${inbox.total === 1 ? 'is' : 'are'} waiting for you.`
    : 'Requests waiting for your decision, and access for you to provision.'

/** The tasks that wait for the caller, the oldest first, to be decided one or several at a time. */
export function Inbox(): ReactNode {
  const { user } = useSession()
  const state = useListState()
  const inputOf = inputFor(user?.id ?? '')
  const { data } = useQuery({ ...read(taskSearch, inputOf(state)), placeholderData: keepPreviousData })
  const inbox = useQuery(read(taskInboxGet, {})).data
  const rows = data ? seenTasks(data) : []
  const selecting = useSelectedTasks(rows, () => inputOf({ ...state, pageSize: pageSizeMax, pageToken: '' }).body)
  const { chosen, setChosen, toggle } = selecting
  const [deciding, setDeciding] = useState<Deciding | null>(null)
  // After all tasks of a later page are decided, the first page is shown.
  const isEmptyPage = data !== undefined && rows.length === 0 && state.pageToken !== ''
  useEffect(() => {
    if (isEmptyPage) state.turnTo('')
    // oxlint-disable-next-line react/exhaustive-deps -- once per empty page
  }, [isEmptyPage])

  const hasMore = (data?.nextPageToken ?? '') !== '' || state.pageToken !== ''
  useInboxShortcuts(rows, selecting, setDeciding)

  return (
    <Page
      about={aboutWords(inbox)}
      actions={
        <Button
          variant="default"
          leftSection={<IconKeyboard size={16} aria-hidden />}
          onClick={openShortcuts}
          visibleFrom="sm"
        >
          Keyboard shortcuts
        </Button>
      }
    >
      <SelectedBar
        {...selecting}
        hasMore={hasMore}
        onDecide={(decision) => setDeciding({ tasks: [...chosen.values()], decision })}
      />
      <ErrorNote error={selecting.chooseAll.error} title="Not all could be selected" />
      <DataList
        caption="Tasks waiting for you, oldest first"
        operation={taskSearch}
        input={inputOf}
        rows={seenTasks}
        keyOf={({ task }) => task.id}
        // Without tasks there is nothing to filter.
        {...((inbox?.total !== 0 || state.isFiltered) && {
          search: 'Search requests',
          filters: <InboxFilters apps={inbox?.apps ?? []} people={inbox?.people ?? []} />,
        })}
        columns={columnsFor({
          selected: chosen,
          onToggle: toggle,
          onDecide: (seen, decision) => setDeciding({ tasks: [seen], decision }),
        })}
        empty={{
          icon: IconChecks,
          title: 'Your inbox is empty',
          children: 'New requests that need your decision are listed here.',
          action: (
            <Button component={Link} to="/" variant="default">
              Go to home
            </Button>
          ),
        }}
      />
      {deciding && (
        <Decide
          {...deciding}
          onClose={() => setDeciding(null)}
          onDecided={(ids) => setChosen((before) => new Map([...before].filter(([id]) => !ids.includes(id))))}
        />
      )}
    </Page>
  )
}

/** Moves along the rows, selects and decides by keys. */
function useInboxShortcuts(
  rows: readonly SeenTask[],
  { chosen, setChosen, toggle, toggleAll }: ReturnType<typeof useSelectedTasks>,
  onDecide: (deciding: Deciding) => void,
): void {
  const decide = (decision: Decision): void => {
    const here = rows[currentRow()]
    const tasks = chosen.size > 0 ? [...chosen.values()] : here ? [here] : []
    if (tasks.length > 0) onDecide({ tasks, decision })
  }
  useShortcuts({
    j: () => moveBy(1),
    k: () => moveBy(-1),
    x: () => {
      const here = rows[currentRow()]
      if (here) toggle(here)
    },
    a: () => decide('approve'),
    d: () => decide('deny'),
    // After a decision the focus is on the row that took the place of the decided one, not on its link.
    Enter: openRow,
    '*': toggleAll,
    Escape: () => setChosen(new Map()),
  })
}
