import { Button, Checkbox, Group, Popover, Radio, Stack, TextInput } from '@mantine/core'
import { IconChevronLeft, IconFilter } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { AppName } from './app-name.tsx'
import { AppPicker } from './app-picker.tsx'
import { FilterPill } from './filter-pill.tsx'
import classes from './list-filters.module.css'
import { joinValues, type ListState } from './list-state.ts'
import { SuggestedValue } from './suggested-value.tsx'
import { UserLabel } from './user-label.tsx'
import { UserPicker } from './user-picker.tsx'

type Choice = { value: string; label: string }

/** A property that a list can be filtered by. Its values are in the address, under its name. */
export type FilterBy = {
  name: string
  label: string
} & (
  | { kind: 'choice'; choices: readonly Choice[]; isSingle?: boolean }
  /** `suggests` names the property of users whose values are offered. */
  | { kind: 'text'; hint?: string; suggests?: 'department' | 'jobTitle' | 'employmentStatus' }
  /** From one day on, and up to another: in the address as `name_from` and `name_to`. */
  | { kind: 'days' }
  | { kind: 'user' }
  | { kind: 'app' }
)

/** What values are called, by what the address holds. */
type Words = Readonly<Record<string, string>>
const choicesOf = (words: Words): Choice[] => Object.entries(words).map(([value, label]) => ({ value, label }))

/** By any of some values. */
export const bySome = (name: string, label: string, words: Words): FilterBy => ({
  name,
  label,
  kind: 'choice',
  choices: choicesOf(words),
})

/** By one of some values. */
export const byOne = (name: string, label: string, words: Words): FilterBy => ({
  name,
  label,
  kind: 'choice',
  isSingle: true,
  choices: choicesOf(words),
})

/** By whether there is one, as the API has it. */
export const byPresence = (name: string, label: string, some: string, none: string): FilterBy =>
  byOne(name, label, { PRESENCE_SOME: some, PRESENCE_NONE: none })

type FilterBarProps = { state: ListState; filterBy: readonly FilterBy[] }

/** The names under which the address holds a filter. */
const namesOf = ({ kind, name }: FilterBy): string[] => (kind === 'days' ? [`${name}_from`, `${name}_to`] : [name])
const isSet = (state: ListState, by: FilterBy): boolean => namesOf(by).some((name) => state.filter(name) !== '')
const unset = (bys: readonly FilterBy[]): Record<string, string> =>
  Object.fromEntries(bys.flatMap(namesOf).map((name) => [name, '']))

/** What the list is filtered by, each as a pill; and a button that adds one. */
export function FilterBar({ state, filterBy }: FilterBarProps): ReactNode {
  const active = filterBy.filter((by) => isSet(state, by))
  return (
    <div className={classes.bar}>
      {active.map((by) => (
        <ActiveFilter key={by.name} state={state} by={by} />
      ))}
      <AddFilter state={state} filterBy={filterBy} />
      {active.length > 1 && (
        <Button variant="subtle" onClick={() => state.set(unset(active))}>
          Clear all
        </Button>
      )}
    </div>
  )
}

function AddFilter({ state, filterBy }: FilterBarProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const [by, setBy] = useState<FilterBy | null>(null)
  const close = (): void => {
    setOpen(false)
    setBy(null)
  }
  return (
    <Popover opened={isOpen} onDismiss={close} position="bottom-start" width={280} trapFocus withinPortal shadow="md">
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconFilter size={16} aria-hidden />}
          onClick={() => (isOpen ? close() : setOpen(true))}
        >
          Add filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Add filter" p={by ? 'sm' : 4}>
        {by ? (
          <Stack gap="xs">
            <Button
              variant="subtle"
              size="compact-sm"
              justify="flex-start"
              leftSection={<IconChevronLeft size={14} aria-hidden />}
              onClick={() => setBy(null)}
            >
              All properties
            </Button>
            <Editor state={state} by={by} onDone={close} />
          </Stack>
        ) : (
          <ul className={classes.properties}>
            {filterBy.map((each, index) => (
              <li key={each.name}>
                <button
                  type="button"
                  className={classes.property}
                  onClick={() => setBy(each)}
                  {...(index === 0 && { 'data-autofocus': true })}
                >
                  {each.label}
                </button>
              </li>
            ))}
          </ul>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

function ActiveFilter({ state, by }: { state: ListState; by: FilterBy }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  return (
    <FilterPill removes={`Remove filter: ${by.label}`} onRemove={() => state.set(unset([by]))}>
      <Popover opened={isOpen} onDismiss={close} position="bottom-start" width={280} trapFocus withinPortal shadow="md">
        <Popover.Target>
          <button type="button" className={classes.edit} onClick={() => setOpen((was) => !was)}>
            {by.label}: <Shown state={state} by={by} />
          </button>
        </Popover.Target>
        <Popover.Dropdown aria-label={by.label}>
          <Editor state={state} by={by} onDone={close} />
        </Popover.Dropdown>
      </Popover>
    </FilterPill>
  )
}

function Shown({ state, by }: { state: ListState; by: FilterBy }): ReactNode {
  const values = state.values(by.name)
  if (by.kind === 'days') return daysWords(state.filter(`${by.name}_from`), state.filter(`${by.name}_to`))
  if (by.kind === 'user' || by.kind === 'app') {
    const Name = by.kind === 'user' ? UserLabel : AppName
    return values.map((id, index) => (
      <span key={id}>
        {index > 0 && ', '}
        <Name id={id} />
      </span>
    ))
  }
  const labelOf = (value: string): string =>
    by.kind === 'choice' ? (by.choices.find((choice) => choice.value === value)?.label ?? value) : value
  return values.map(labelOf).join(', ')
}

const daysWords = (from: string, to: string): string =>
  from && to ? `${from} to ${to}` : from ? `from ${from}` : `until ${to}`

type EditorProps = { state: ListState; by: FilterBy; onDone: () => void }

function Editor({ state, by, onDone }: EditorProps): ReactNode {
  const values = state.values(by.name)
  const set = (next: readonly string[]): void => state.set({ [by.name]: joinValues(next) })
  const add = (value: string): void => {
    if (value !== '' && !values.includes(value)) set([...values, value])
    onDone()
  }
  if (by.kind === 'choice')
    return by.isSingle ? (
      <Radio.Group label={by.label} value={values[0] ?? ''} onChange={(value) => set([value])}>
        <Stack gap={6} mt={6}>
          {by.choices.map(({ value, label }, index) => (
            <Radio key={value} value={value} label={label} {...(index === 0 && { 'data-autofocus': true })} />
          ))}
        </Stack>
      </Radio.Group>
    ) : (
      <Checkbox.Group label={by.label} value={values} onChange={set}>
        <Stack gap={6} mt={6}>
          {by.choices.map(({ value, label }, index) => (
            <Checkbox key={value} value={value} label={label} {...(index === 0 && { 'data-autofocus': true })} />
          ))}
        </Stack>
      </Checkbox.Group>
    )
  if (by.kind === 'user') return <UserPicker label={by.label} isAutoFocused isInPopover onPick={({ id }) => add(id)} />
  if (by.kind === 'app') return <AppPicker isAutoFocused isInPopover onPick={({ id }) => add(id)} />
  if (by.kind === 'days') return <Days state={state} by={by} />
  return <TextValues key={values.join(',')} by={by} values={values} onSet={set} onDone={onDone} />
}

function Days({ state, by }: { state: ListState; by: FilterBy }): ReactNode {
  return (
    <Stack gap="xs">
      {(['from', 'to'] as const).map((end) => (
        <TextInput
          key={end}
          type="date"
          label={`${by.label}, ${end === 'from' ? 'from' : 'until'}`}
          {...(end === 'from' && { 'data-autofocus': true })}
          value={state.filter(`${by.name}_${end}`)}
          onChange={({ currentTarget: { value } }) => state.set({ [`${by.name}_${end}`]: value }, true)}
        />
      ))}
    </Stack>
  )
}

type TextValuesProps = {
  by: FilterBy & { kind: 'text' }
  values: readonly string[]
  onSet: (values: readonly string[]) => void
  onDone: () => void
}

/** Values as they are written there: one, and further ones beside it. */
function TextValues({ by, values, onSet, onDone }: TextValuesProps): ReactNode {
  const [typed, setTyped] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const value = typed.trim()
        if (value !== '') onSet([...values.filter((each) => each !== value), value])
        onDone()
      }}
    >
      <Stack gap="xs">
        {values.map((value) => (
          <Checkbox key={value} checked label={value} onChange={() => onSet(values.filter((each) => each !== value))} />
        ))}
        {by.suggests ? (
          <SuggestedValue
            label={by.label}
            field={by.suggests}
            typed={typed}
            onType={setTyped}
            onPick={(value) => {
              onSet([...values.filter((each) => each !== value), value])
              onDone()
            }}
          />
        ) : (
          <TextInput
            label={by.label}
            description={by.hint ?? 'The exact value'}
            data-autofocus
            value={typed}
            onChange={({ currentTarget: { value } }) => setTyped(value)}
          />
        )}
        <Group justify="flex-end">
          <Button type="submit" size="xs" disabled={typed.trim() === ''}>
            Apply
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const endOfDayMs = 86_400_000

/** The two ends of a filter by days, as the API takes times: a day begins where the reader is. */
export const daysOf = (
  filter: (name: string) => string,
  name: string,
): { from: string | null; until: string | null } => {
  const at = (text: string, plusMs: number): string | null => {
    const day = new Date(`${text}T00:00`)
    return text === '' || Number.isNaN(day.getTime()) ? null : new Date(day.getTime() + plusMs).toISOString()
  }
  return { from: at(filter(`${name}_from`), 0), until: at(filter(`${name}_to`), endOfDayMs) }
}
