import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { IconCheck, IconChecks, IconKeyboard, IconX } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { taskInboxGet, taskSearch } from '#client/api/operations.ts'
import type { InboxCount, TaskSearchRequest } from '#client/api/types.ts'
import type { Sent } from '#client/operation.ts'
import { call } from '../../client/call.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { type Asked, type Column, DataList } from '../../parts/data-list.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Page } from '../../parts/page.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { RowActions } from '../../parts/row-actions.tsx'
import { openShortcuts, useShortcuts } from '../../parts/shortcuts.ts'
import { Decide, type Decision } from './decide.tsx'
import classes from './inbox.module.css'
import { listMask, may, type SeenTask, seenTasks } from './seen-task.ts'
import { personColumn, reasonOf, TaskName } from './task-columns.tsx'
import { counted, stepTitle, titleOf } from './words.ts'

const kinds: Readonly<Record<string, object>> = {
  access: { taskTypes: [{ grant: {} }], currentStep: 'TASK_SEARCH_CURRENT_STEP_APPROVAL' },
  revocation: { taskTypes: [{ revoke: {} }], currentStep: 'TASK_SEARCH_CURRENT_STEP_APPROVAL' },
  provisioning: { currentStep: 'TASK_SEARCH_CURRENT_STEP_PROVISION' },
}
const daySeconds = 86_400
const ages = ['1', '3', '7', '30']

const pageSizeMax = 100
const chosenMax = 1000

/** All that a search finds, up to a number that one can still decide at once. */
async function listAll(body: Sent<TaskSearchRequest>): Promise<SeenTask[]> {
  const all: SeenTask[] = []
  for (let pageToken = ''; all.length < chosenMax; ) {
    const reply = await call(taskSearch, { body: { ...body, pageSize: pageSizeMax, pageToken } })
    all.push(...seenTasks(reply))
    pageToken = reply.nextPageToken
    if (pageToken === '') break
  }
  return all.slice(0, chosenMax)
}

/** What waits for the caller, the oldest first: decided here, one or several at a time. */
export function Inbox(): ReactNode {
  const { user } = useSession()
  const state = useListState()
  const inputOf = ({ query, pageSize, pageToken, filter }: Asked) => ({
    body: {
      myWorkUserIds: [user?.id ?? ''],
      taskStates: ['TASK_STATE_OPEN' as const],
      query,
      applicationIds: filter('app') ? [filter('app')] : [],
      subjectIds: filter('person') ? [filter('person')] : [],
      ...kinds[filter('kind')],
      olderThanDuration: ages.includes(filter('days')) ? `${Number(filter('days')) * daySeconds}s` : null,
      sortBy:
        filter('order') === 'newest'
          ? ('TASK_SEARCH_SORT_BY_REVERSE_CREATED_AT' as const)
          : ('TASK_SEARCH_SORT_BY_CREATED_AT' as const),
      expandMask: listMask,
      pageSize,
      pageToken,
    },
  })
  const { data } = useQuery({ ...read(taskSearch, inputOf(state)), placeholderData: keepPreviousData })
  const inbox = useQuery(read(taskInboxGet, {})).data
  const rows = data ? seenTasks(data) : []
  const [chosen, setChosen] = useState<ReadonlyMap<string, SeenTask>>(new Map())
  const [deciding, setDeciding] = useState<{ tasks: readonly SeenTask[]; decision: Decision } | null>(null)
  const toggle = (seen: SeenTask): void =>
    setChosen((before) => {
      const after = new Map(before)
      if (!after.delete(seen.task.id)) after.set(seen.task.id, seen)
      return after
    })

  const chooseAll = useMutation({
    mutationFn: () => listAll(inputOf({ ...state, pageSize: pageSizeMax, pageToken: '' }).body),
    onSuccess: (all) => setChosen(new Map(all.map((seen) => [seen.task.id, seen]))),
  })

  // Whoever decides all of a later page goes on with what is left.
  const isEmptyPage = data !== undefined && rows.length === 0 && state.pageToken !== ''
  useEffect(() => {
    if (isEmptyPage) state.turnTo('')
    // oxlint-disable-next-line react/exhaustive-deps -- once per empty page
  }, [isEmptyPage])

  const decide = (decision: Decision): void => {
    const here = rowAt(currentRow(), rows)
    const tasks = chosen.size > 0 ? [...chosen.values()] : here ? [here] : []
    if (tasks.length > 0) setDeciding({ tasks, decision })
  }
  const areAllChosen = rows.length > 0 && rows.every(({ task }) => chosen.has(task.id))
  const areSomeChosen = rows.some(({ task }) => chosen.has(task.id))
  const hasMore = (data?.nextPageToken ?? '') !== '' || state.pageToken !== ''
  const isAllChosen = chooseAll.data !== undefined && chooseAll.data.every(({ task }) => chosen.has(task.id))
  const toggleAll = (): void =>
    setChosen((before) => {
      const after = new Map(before)
      for (const seen of rows)
        if (areAllChosen) after.delete(seen.task.id)
        else after.set(seen.task.id, seen)
      return after
    })
  useShortcuts({
    j: () => moveBy(1),
    k: () => moveBy(-1),
    x: () => {
      const here = rowAt(currentRow(), rows)
      if (here) toggle(here)
    },
    a: () => decide('approve'),
    d: () => decide('deny'),
    // After a decision the focus is on the row that took the place, not on its link.
    Enter: openRow,
    '*': toggleAll,
    Escape: () => setChosen(new Map()),
  })

  return (
    <Page
      about={
        inbox && inbox.total > 0
          ? `${inbox.isMore ? 'More than ' : ''}${counted(inbox.total, 'task')} ${inbox.total === 1 ? 'is' : 'are'} waiting for you.`
          : 'Requests waiting for your decision, and access for you to provision.'
      }
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
      {(rows.length > 0 || chosen.size > 0) && (
        <section className={classes.bar} data-chosen={chosen.size > 0} aria-label="Selected requests">
          <Checkbox
            label={chosen.size > 0 ? `${chosen.size.toLocaleString()} selected` : 'Select all on this page'}
            aria-label="Select all on this page"
            checked={areAllChosen}
            indeterminate={areSomeChosen && !areAllChosen}
            onChange={toggleAll}
          />
          {hasMore && areAllChosen && !isAllChosen && (
            <Button size="compact-sm" variant="subtle" loading={chooseAll.isPending} onClick={() => chooseAll.mutate()}>
              {state.isFiltered ? 'Select all results' : 'Select all tasks waiting for you'}
            </Button>
          )}
          {chosen.size > 0 && (
            <div className={classes.doing}>
              <Button
                size="xs"
                leftSection={<IconCheck size={14} aria-hidden />}
                onClick={() => setDeciding({ tasks: [...chosen.values()], decision: 'approve' })}
              >
                Approve
              </Button>
              <Button
                size="xs"
                color="red.8"
                leftSection={<IconX size={14} aria-hidden />}
                onClick={() => setDeciding({ tasks: [...chosen.values()], decision: 'deny' })}
              >
                Deny
              </Button>
              <Button size="xs" variant="default" onClick={() => setChosen(new Map())}>
                Clear
              </Button>
            </div>
          )}
        </section>
      )}
      <ErrorNote error={chooseAll.error} title="Not all could be selected" />
      <DataList
        caption="Tasks waiting for you, oldest first"
        operation={taskSearch}
        input={inputOf}
        rows={seenTasks}
        keyOf={({ task }) => task.id}
        // Where nothing waits there is nothing to filter.
        {...((inbox?.total !== 0 || state.isFiltered) && {
          search: 'Search requests',
          filters: <Filters apps={inbox?.apps ?? []} people={inbox?.people ?? []} />,
        })}
        columns={[
          {
            header: 'Request',
            cell: (seen) => (
              <TaskName
                seen={seen}
                select={
                  <Checkbox
                    aria-label={`Select ${titleOf(seen)}`}
                    checked={chosen.has(seen.task.id)}
                    onChange={() => toggle(seen)}
                  />
                }
              />
            ),
          },
          personColumn,
          {
            header: 'Reason',
            width: '24%',
            cell: (seen) => <span className={classes.reason}>{reasonOf(seen) || '–'}</span>,
          },
          {
            header: 'Waiting',
            width: '9rem',
            cell: ({ task }) => {
              const since = task.policy?.current?.approval?.assignedAt ?? task.createdAt
              return since && <RelativeTime at={since} />
            },
          },
          actionsColumn((seen, decision) => setDeciding({ tasks: [seen], decision })),
        ]}
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

const actionsColumn = (onDecide: (seen: SeenTask, decision: Decision) => void): Column<SeenTask> => ({
  header: 'Actions',
  isHidden: true,
  width: '7.5rem',
  cell: (seen) => {
    const of = titleOf(seen)
    if (!may(seen, 'APPROVE')) {
      const now = seen.task.policy?.current
      return (
        <Button
          component={Link}
          to={`/tasks/${seen.task.numericId}`}
          size="compact-xs"
          variant="default"
          aria-label={`Open ${of}`}
        >
          {now?.provision ? 'Provision' : now?.form ? 'Answer' : now ? stepTitle(now) : 'Open'}
        </Button>
      )
    }
    return (
      <RowActions
        actions={[
          { label: 'Approve', name: `Approve ${of}`, icon: IconCheck, onClick: () => onDecide(seen, 'approve') },
          { label: 'Deny', name: `Deny ${of}`, icon: IconX, onClick: () => onDecide(seen, 'deny') },
        ]}
      />
    )
  },
})

function Filters({ apps, people }: { apps: readonly InboxCount[]; people: readonly InboxCount[] }): ReactNode {
  const { filter, set } = useListState()
  const counts = (all: readonly InboxCount[], chosen: string) => [
    ...all.map(({ id, displayName, count }) => ({ value: id, label: `${displayName} (${count})` })),
    ...(chosen && !all.some(({ id }) => id === chosen) ? [{ value: chosen, label: 'Selected before' }] : []),
  ]
  const select = (name: string, label: string, data: readonly { value: string; label: string }[]): ReactNode => (
    <NativeSelect
      label={label}
      value={filter(name)}
      onChange={({ currentTarget: { value } }) => set({ [name]: value })}
      data={[...data]}
    />
  )
  return (
    <>
      {select('app', 'App', [{ value: '', label: 'All apps' }, ...counts(apps, filter('app'))])}
      {select('person', 'For', [{ value: '', label: 'Everyone' }, ...counts(people, filter('person'))])}
      {select('kind', 'Kind', [
        { value: '', label: 'All' },
        { value: 'access', label: 'Access' },
        { value: 'revocation', label: 'Revocation' },
        { value: 'provisioning', label: 'To provision' },
      ])}
      {select('days', 'Requested', [
        { value: '', label: 'Any time' },
        ...ages.map((days) => ({ value: days, label: days === '1' ? 'Over a day ago' : `Over ${days} days ago` })),
      ])}
      {select('order', 'Order', [
        { value: '', label: 'Oldest first' },
        { value: 'newest', label: 'Newest first' },
      ])}
    </>
  )
}

// The row that the keyboard is at is the one that has the focus: nothing else has to be kept, and Enter opens its link.
const rowElements = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-list] tbody > tr')]
const currentRow = (): number => rowElements().findIndex((row) => row.contains(document.activeElement))
const rowAt = (place: number, rows: readonly SeenTask[]): SeenTask | undefined => rows[place]

/** Opens the row that has the focus itself; on a link or a button Enter is the browser's. */
function openRow(): boolean {
  const row = document.activeElement
  if (row?.tagName !== 'TH') return false
  row.querySelector('a')?.click()
  return true
}

function moveBy(step: number): void {
  const all = rowElements()
  const now = currentRow()
  const next = now < 0 ? 0 : Math.min(Math.max(now + step, 0), all.length - 1)
  const link = all[next]?.querySelector<HTMLElement>('th a')
  link?.focus()
  link?.scrollIntoView({ block: 'nearest' })
}
