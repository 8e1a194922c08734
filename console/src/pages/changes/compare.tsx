import { Button, Group, SegmentedControl, TextInput } from '@mantine/core'
import { IconArrowsDiff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { ListChangesResponse, SummarizeChangesResponse } from '#client/api/types.ts'
import type { Operation } from '#client/operation.ts'
import { read } from '../../client/queries.ts'
import { localOf, momentOf } from '../../parts/as-of.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { useListState } from '../../parts/list-state.ts'
import { zoneHere } from '../../parts/moment.tsx'
import { Panel } from '../../parts/panel.tsx'
import { PlanGroups } from '../../parts/plan-groups.tsx'
import { ChangeChart } from './change-chart.tsx'
import { columnsFor, rowsOf } from './change-columns.tsx'
import classes from './compare.module.css'
import { type Moments, ownKey, presets, useMoments } from './moments.ts'
import { kinds, type Subject, subjects } from './words.ts'

type Span = { from: string; to: string | null }
type Asked = Span & { subject: Subject; kind?: (typeof kinds)[number][0]; page_size: number; page_token: string }

type CompareProps<SummaryInput, ListInput> = {
  /** What is compared, by its name. */
  of: string
  summary: (span: Span) => readonly [operation: Operation<SummaryInput, SummarizeChangesResponse>, input: SummaryInput]
  list: readonly [operation: Operation<ListInput, ListChangesResponse>, input: (asked: Asked) => ListInput]
}

/** What is other at a moment than at an earlier one: how much, when, and each change with its cause. */
export function Compare<SummaryInput, ListInput>(props: CompareProps<SummaryInput, ListInput>): ReactNode {
  const state = useListState()
  const moments = useMoments()
  const span = { from: moments.from, to: moments.to || null }
  const { data, error, refetch } = useQuery(read(...props.summary(span)))
  const listed = subjects.filter(([subject]) => data?.counts.some((count) => count.subject === subject))
  const [subject, subjectKey, subjectLabel] = subjects.find(([, key]) => key === state.filter('subject')) ?? subjects[0]
  const kind = kinds.find(([, key]) => key === state.filter('kind'))?.[0]
  const countOf = (of: Subject, which?: (typeof kinds)[number][0]) => {
    const counts = data?.counts.filter((count) => count.subject === of && (!which || count.kind === which)) ?? []
    return {
      count: counts.reduce((sum, { count }) => sum + count, 0),
      isMore: counts.some(({ isMore }) => isMore),
    }
  }
  const [operation, inputOf] = props.list
  return (
    <>
      <ChooseMoments moments={moments} />
      {error && <ErrorNote error={error} title="These moments cannot be compared" retry={() => void refetch()} />}
      {!error && (
        <>
          {listed.length > 1 && (
            <SegmentedControl
              className={classes.subjects}
              aria-label="What changed"
              value={subjectKey}
              onChange={(key) => state.set({ subject: key === 'grants' ? '' : key, kind: '' })}
              data={listed.map(([each, key, label]) => {
                return { value: key, label: `${label} ${countText(countOf(each))}` }
              })}
            />
          )}
          <PlanGroups
            label={`${subjectLabel} by kind of change`}
            isBusy={!data}
            chosen={kinds.find(([each]) => each === kind)?.[1] ?? ''}
            onChoose={(key) => state.set({ kind: key })}
            groups={[
              { key: '', label: 'All changes', ...told(data && countOf(subject)) },
              ...kinds
                .filter(([each]) => each !== 'CHANGE_KIND_CHANGED' || /GRANT|RULE/.test(subject))
                .map(([each, key, label, sign]) => ({
                  key,
                  label: label,
                  ...told(data && countOf(subject, each), sign),
                  ...(each === 'CHANGE_KIND_ADDED' && { tone: 'good' as const }),
                  ...(each === 'CHANGE_KIND_REMOVED' && { tone: 'bad' as const }),
                })),
            ]}
          />
          {subject === 'CHANGE_SUBJECT_GRANT' && data && countOf(subject).count > 0 && <ChangeChart told={data} />}
          <DataList
            caption={`${subjectLabel} of ${props.of} that changed`}
            operation={operation}
            input={({ pageSize, pageToken }) =>
              inputOf({ ...span, subject, ...(kind && { kind }), page_size: pageSize, page_token: pageToken })
            }
            {...(data && { total: countText(countOf(subject, kind)) })}
            rows={rowsOf}
            keyOf={({ change }) => change.id}
            columns={columnsFor(subject)}
            empty={{
              icon: IconArrowsDiff,
              title: 'No changes',
              children: 'Nothing changed between these two moments. Choose an earlier first moment.',
            }}
          />
          {data && data.withoutHistory.length > 0 && <WithoutHistory what={data.withoutHistory} />}
        </>
      )}
    </>
  )
}

const countText = ({ count, isMore }: { count: number; isMore: boolean }): string =>
  `${count.toLocaleString()}${isMore ? '+' : ''}`

const told = (counted: { count: number; isMore: boolean } | undefined, sign = '') => ({
  count: counted?.count ?? null,
  mark: counted?.isMore ? `${sign}≥` : sign,
})

/** Which moments: the last day, week or month, or any two. */
function ChooseMoments({ moments }: { moments: Moments }): ReactNode {
  const { set } = useListState()
  const [isOwn, setOwn] = useState(moments.chosen === ownKey)
  return (
    <Panel>
      <Group gap="md" align="end">
        <SegmentedControl
          aria-label="Compare with"
          value={isOwn ? ownKey : moments.chosen}
          onChange={(key) => {
            setOwn(key === ownKey)
            if (key === ownKey) set({ last: '', from: moments.from, to: moments.to })
            else set({ last: key, from: '', to: '' })
          }}
          data={[...presets.map(({ key, label }) => ({ value: key, label })), { value: ownKey, label: 'Two dates' }]}
        />
        {isOwn && (
          <>
            <TextInput
              label={`From (${zoneHere()})`}
              type="datetime-local"
              max={localOf(new Date())}
              value={localOf(new Date(moments.from))}
              onChange={({ currentTarget: { value } }) => set({ from: momentOf(value), last: '' }, true)}
            />
            <TextInput
              label={`To (${zoneHere()})`}
              type="datetime-local"
              max={localOf(new Date())}
              value={moments.to === '' ? '' : localOf(new Date(moments.to))}
              onChange={({ currentTarget: { value } }) => set({ to: momentOf(value), last: '' }, true)}
            />
            {moments.to !== '' && (
              <Button variant="default" onClick={() => set({ to: '' })}>
                Up to now
              </Button>
            )}
          </>
        )}
      </Group>
    </Panel>
  )
}

const WithoutHistory = ({ what }: { what: readonly string[] }): ReactNode => (
  <section className={classes.without} aria-label="Not compared">
    <strong>Not compared, because no history is kept:</strong>
    <ul>
      {what.map((each) => (
        <li key={each}>{each}</li>
      ))}
    </ul>
  </section>
)
