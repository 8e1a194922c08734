import { Modal, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { IconKeyboard, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { finderFind } from '#client/api/operations.ts'
import { read } from '../client/queries.ts'
import { useSession } from '../client/session.ts'
import { type Command, commandsFor } from '../page-data.ts'
import { takeTyped } from '../parts/open-search.ts'
import { useDestinations } from '../parts/pages.ts'
import { openShortcuts } from '../parts/shortcuts.ts'
import { pageOf } from '../parts/things.ts'
import { type Group, type Hit, ranked } from './rank.ts'
import { recentsOf } from './recents.ts'
import classes from './search.module.css'

// While somebody types, nothing is sent; then one request for everything.
const waitMs = 150
const lengthMax = 200

type Choice = Hit & ({ to: string } | { run: () => void })

const groupNames: Readonly<Record<string, string>> = {
  user: 'Users',
  app: 'Apps',
  entitlement: 'Entitlements',
  account: 'Accounts',
  resource: 'Resources',
  policy: 'Policies',
  profile: 'Access profiles',
  connector: 'Connectors',
  task: 'Tasks',
}

/** The only command that belongs to no page. */
const shortcutsCommand: Command = {
  label: 'Keyboard shortcuts',
  icon: IconKeyboard,
  words: 'help keys',
  run: openShortcuts,
}

/** Ctrl-K: actions, pages, recently opened things, and things that the API finds by words of their names. */
export function Search(): ReactNode {
  const [typed, setTyped] = useState('')
  return (
    <Spotlight.Root
      query={typed}
      onQueryChange={setTyped}
      shortcut={null}
      clearQueryOnClose
      overlayProps={{ backgroundOpacity: 0.5 }}
      // If it is opened again at once, the end of its closing would clear what is typed.
      transitionProps={{ duration: 0 }}
    >
      <VisuallyHidden>
        <Modal.Title>Search</Modal.Title>
      </VisuallyHidden>
      <Palette typed={typed} onType={setTyped} />
    </Spotlight.Root>
  )
}

function useGroups(typed: string): { groups: Group<Choice>[]; isSearching: boolean } {
  const session = useSession()
  const { user } = session
  const commands = [...commandsFor(useRouter(), session), shortcutsCommand]
  const destinations = useDestinations()
  const wanted = typed.trim().slice(0, lengthMax)
  const [query] = useDebouncedValue(wanted, waitMs)
  const found = useQuery({
    ...read(finderFind, { query: { query } }),
    enabled: query !== '' && wanted !== '',
    placeholderData: keepPreviousData,
  })
  const hits = wanted === '' ? [] : (found.data?.list ?? [])
  const asChoice = (each: Omit<Choice, 'id' | 'description'> & ({ to: string } | { run: () => void }), id: string) => ({
    ...each,
    id,
    description: '',
  })
  const own = [
    {
      group: 'Recent',
      hits: recentsOf(user?.id ?? '').map(({ label, to }) => asChoice({ label, to }, `recent ${to}`)),
    },
    {
      group: 'Actions',
      hits: commands.map((each) => asChoice(each, `action ${each.label}`)),
    },
    { group: 'Pages', hits: destinations.map(({ label, to }) => asChoice({ label, to }, `page ${to}`)) },
  ]
  const byKind = Map.groupBy(hits, ({ kind }) => kind)
  const others = [...byKind].map(([kind, ofKind]) => ({
    group: groupNames[kind] ?? kind,
    isFound: true,
    hits: ofKind.map((hit) => ({
      id: `${kind} ${hit.id}`,
      label: hit.displayName,
      description: hit.description,
      to: pageOf({ ...hit, type: kind }) ?? '/',
    })),
  }))
  return {
    groups: ranked<Choice>([...own, ...others], wanted),
    isSearching: wanted !== '' && (query !== wanted || found.isFetching),
  }
}

type OptionsProps = {
  groups: readonly Group<Choice>[]
  chosen: Choice | undefined
  idOf: (id: string) => string
  onChoose: (id: string) => void
  onOpen: (choice: Choice) => void
}

const Options = ({ groups, chosen, idOf, onChoose, onOpen }: OptionsProps): ReactNode =>
  groups.map(({ group, hits }) => (
    <div key={group} role="group" aria-label={group}>
      <div className={classes.group} aria-hidden>
        {group}
      </div>
      {hits.map((hit) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are those of the field, which keeps the focus
        <div
          key={hit.id}
          id={idOf(hit.id)}
          className={classes.option}
          role="option"
          tabIndex={-1}
          aria-selected={hit.id === chosen?.id}
          onMouseMove={() => onChoose(hit.id)}
          onClick={() => onOpen(hit)}
        >
          <span className={classes.label}>{hit.label}</span>
          {hit.description && <span className={classes.description}> {hit.description}</span>}
        </div>
      ))}
    </div>
  ))

/** Opens what was chosen, or runs it. */
function useOpen(): (choice: Choice | undefined) => void {
  const navigate = useNavigate()
  return (choice) => {
    if (!choice) return
    // The page that opens takes the focus, unless a dialog has it by then.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    spotlight.close()
    if ('to' in choice) void navigate({ href: choice.to })
    else choice.run()
  }
}

/** Which hit is chosen, by the arrow keys or the mouse; Enter opens it. */
function useChoosing(groups: readonly Group<Choice>[], isSearching: boolean) {
  const [chosenId, setChosenId] = useState('')
  const [isEntered, setEntered] = useState(false)
  const all = groups.flatMap(({ hits }) => hits)
  // The first one, until another is chosen by the arrow keys: Enter opens it.
  const at = Math.max(
    all.findIndex(({ id }) => id === chosenId),
    0,
  )
  const chosen = all[at]
  const open = useOpen()
  // If Enter was pressed before the response, its first hit is opened, and not that of the previous text.
  // oxlint-disable-next-line react/exhaustive-deps -- it runs after each response, and resets its own condition
  useEffect(() => {
    if (!isEntered || isSearching) return
    setEntered(false)
    open(chosen)
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && all.length > 0) {
      event.preventDefault()
      setChosenId(all[(at + step + all.length) % all.length]?.id ?? '')
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      if (isSearching && chosenId === '') setEntered(true)
      else open(chosen)
    }
  }
  return { all, chosen, setChosenId, setEntered, open, onKeyDown }
}

function Palette({ typed, onType }: { typed: string; onType: (typed: string) => void }): ReactNode {
  const { groups, isSearching } = useGroups(typed)
  const { all, chosen, setChosenId, setEntered, open, onKeyDown } = useChoosing(groups, isSearching)
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const optionId = (id: string): string => `${listId}-${id.replaceAll(/[^A-Za-z0-9]/g, '-')}`
  useEffect(() => {
    if (chosen) list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])

  return (
    <>
      <div className={classes.field}>
        <IconSearch size={18} aria-hidden />
        <input
          className={classes.input}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the search is opened to type into it
          autoFocus
          data-autofocus
          type="text"
          role="combobox"
          aria-label="Search"
          aria-expanded={all.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          {...(chosen && { 'aria-activedescendant': optionId(chosen.id) })}
          placeholder="Search people, apps, entitlements, pages and actions"
          autoComplete="off"
          spellCheck={false}
          maxLength={lengthMax}
          value={typed}
          onChange={({ currentTarget: { value } }) => {
            setChosenId('')
            setEntered(false)
            onType(value)
          }}
          onKeyDown={onKeyDown}
          onFocus={() => {
            const { text, isEntered: wasEntered } = takeTyped()
            if (text !== '') onType(text)
            if (text !== '' && wasEntered) setEntered(true)
          }}
        />
      </div>
      <div className={classes.list} id={listId} role="listbox" aria-label="Results" aria-busy={isSearching} ref={list}>
        <Options groups={groups} chosen={chosen} idOf={optionId} onChoose={setChosenId} onOpen={open} />
      </div>
      {all.length === 0 && (
        <p className={classes.nothing}>{isSearching ? 'Searching…' : `No results for “${typed.trim()}”.`}</p>
      )}
      <VisuallyHidden role="status">
        {isSearching ? '' : `${all.length} ${all.length === 1 ? 'result' : 'results'}`}
      </VisuallyHidden>
    </>
  )
}
