import { Button, Checkbox } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { taskSearch } from '#client/api/operations.ts'
import type { TaskSearchRequest } from '#client/api/types.ts'
import type { Sent } from '#client/operation.ts'
import { call } from '../../client/call.ts'
import { useListState } from '../../parts/list-state.ts'
import type { Decision } from './deciding.ts'
import classes from './inbox.module.css'
import { type SeenTask, seenTasks } from './seen-task.ts'

export const pageSizeMax = 100
const chosenMax = 1000

/** The results of a search, up to the number that can be decided at once. */
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

/** The selected tasks, also of other pages; all results are selected by one more request. */
export function useSelectedTasks(rows: readonly SeenTask[], bodyOfAll: () => Sent<TaskSearchRequest>) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, SeenTask>>(new Map())
  const toggle = (seen: SeenTask): void =>
    setChosen((before) => {
      const after = new Map(before)
      if (!after.delete(seen.task.id)) after.set(seen.task.id, seen)
      return after
    })

  const chooseAll = useMutation({
    mutationFn: () => listAll(bodyOfAll()),
    onSuccess: (all) => setChosen(new Map(all.map((seen) => [seen.task.id, seen]))),
  })

  const areAllChosen = rows.length > 0 && rows.every(({ task }) => chosen.has(task.id))
  const areSomeChosen = rows.some(({ task }) => chosen.has(task.id))
  const isAllChosen = chooseAll.data !== undefined && chooseAll.data.every(({ task }) => chosen.has(task.id))
  const toggleAll = (): void =>
    setChosen((before) => {
      const after = new Map(before)
      for (const seen of rows)
        if (areAllChosen) after.delete(seen.task.id)
        else after.set(seen.task.id, seen)
      return after
    })
  return { rows, chosen, setChosen, toggle, toggleAll, chooseAll, areAllChosen, areSomeChosen, isAllChosen }
}

type SelectedBarProps = ReturnType<typeof useSelectedTasks> & {
  /** There are others on other pages. */
  hasMore: boolean
  onDecide: (decision: Decision) => void
}

export function SelectedBar(props: SelectedBarProps): ReactNode {
  const { rows, chosen, setChosen, toggleAll, chooseAll, areAllChosen, areSomeChosen, isAllChosen } = props
  const { isFiltered } = useListState()
  if (rows.length === 0 && chosen.size === 0) return null
  return (
    <section className={classes.bar} data-chosen={chosen.size > 0} aria-label="Selected requests">
      <Checkbox
        label={chosen.size > 0 ? `${chosen.size.toLocaleString()} selected` : 'Select all on this page'}
        aria-label="Select all on this page"
        checked={areAllChosen}
        indeterminate={areSomeChosen && !areAllChosen}
        onChange={toggleAll}
      />
      {props.hasMore && areAllChosen && !isAllChosen && (
        <Button size="compact-sm" variant="subtle" loading={chooseAll.isPending} onClick={() => chooseAll.mutate()}>
          {isFiltered ? 'Select all results' : 'Select all tasks waiting for you'}
        </Button>
      )}
      {chosen.size > 0 && (
        <div className={classes.doing}>
          <Button size="xs" leftSection={<IconCheck size={14} aria-hidden />} onClick={() => props.onDecide('approve')}>
            Approve
          </Button>
          <Button
            size="xs"
            color="red.8"
            leftSection={<IconX size={14} aria-hidden />}
            onClick={() => props.onDecide('deny')}
          >
            Deny
          </Button>
          <Button size="xs" variant="default" onClick={() => setChosen(new Map())}>
            Clear
          </Button>
        </div>
      )}
    </section>
  )
}
