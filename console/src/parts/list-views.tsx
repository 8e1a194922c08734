import { ActionIcon, Button, Checkbox, Menu, TextInput } from '@mantine/core'
import { IconBookmarkPlus, IconDots, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { savedViewCreate, savedViewDelete, savedViewList, savedViewUpdate } from '#client/api/operations.ts'
import type { SavedView } from '#client/api/types.ts'
import { problemOf } from '../client/problem.ts'
import { read, useChange } from '../client/queries.ts'
import { useSession } from '../client/session.ts'
import { Confirm } from './confirm.tsx'
import { FormModal } from './form-modal.tsx'
import type { ListState } from './list-state.ts'
import classes from './list-views.module.css'

const knownMs = 60_000
const pageSize = 100

/** A query in one order, so that two of the same filters are the same text. */
const normalized = (query: string): string => {
  const search = new URLSearchParams(query)
  search.sort()
  return search.toString()
}

export type ListViews = {
  views: readonly SavedView[]
  /** The one that is shown. */
  open: SavedView | undefined
  /** The one that was shown before the filters were changed. */
  last: SavedView | undefined
  current: string
  page: string
  choose: (view: SavedView | null) => void
}

/** The saved views of the page that is open; null where nobody may have any. */
export function useListViews(state: ListState, isWanted: boolean): ListViews | null {
  const { may } = useSession()
  const page = useLocation({ select: ({ pathname }) => pathname })
  const [lastId, setLastId] = useState('')
  const isOn = isWanted && may('views.own')
  const { data } = useQuery({
    ...read(savedViewList, { query: { page, page_size: pageSize } }),
    staleTime: knownMs,
    enabled: isOn,
  })
  if (!isOn) return null
  const views = data?.list ?? []
  const current = normalized(new URLSearchParams(state.view).toString())
  const open = views.find(({ query }) => normalized(query) === current)
  return {
    views,
    open,
    last: views.find(({ id }) => id === lastId),
    current,
    page,
    choose(view) {
      setLastId(view?.id ?? '')
      state.show(view ? Object.fromEntries(new URLSearchParams(view.query)) : {})
    },
  }
}

const changes = [savedViewList]

/** The views, above the list. */
export function ViewTabs({ of }: { of: ListViews }): ReactNode {
  const { views, open, current, choose } = of
  if (views.length === 0) return null
  return (
    <nav className={classes.views} aria-label="Saved views">
      <button
        type="button"
        className={classes.view}
        onClick={() => choose(null)}
        {...(current === '' && { 'aria-current': true })}
      >
        All
      </button>
      {views.map((view) => (
        <span key={view.id} className={classes.place} data-open={view.id === open?.id}>
          <button
            type="button"
            className={classes.view}
            onClick={() => choose(view)}
            {...(view.id === open?.id && { 'aria-current': true })}
          >
            {view.isShared && <IconUsers size={14} aria-label="Shared" />}
            {view.name}
          </button>
          {view.id === open?.id && view.mayChange && <ViewMenu view={view} onDeleted={() => choose(null)} />}
        </span>
      ))}
    </nav>
  )
}

function ViewMenu({ view, onDeleted }: { view: SavedView; onDeleted: () => void }): ReactNode {
  const [doing, setDoing] = useState<'rename' | 'delete' | null>(null)
  const remove = useChange(savedViewDelete, { changes, done: 'View deleted', onDone: onDeleted })
  return (
    <>
      <Menu position="bottom-start" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={24} aria-label={`Edit view ${view.name}`}>
            <IconDots size={14} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDoing('rename')}>Edit</Menu.Item>
          <Menu.Item onClick={() => setDoing('delete')}>Delete</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {doing === 'rename' && <ViewForm view={view} onClose={() => setDoing(null)} />}
      <Confirm
        opened={doing === 'delete'}
        onClose={() => setDoing(null)}
        title={`Delete the view ${view.name}?`}
        verb="Delete"
        onConfirm={() => remove.mutate({ path: { view_id: view.id } })}
        isPending={remove.isPending}
        error={remove.error}
      >
        {view.isShared ? 'It is removed for everyone in the organization.' : 'The list itself is not changed.'}
      </Confirm>
    </>
  )
}

/** Keeps the filters and the order under a name; or under that of the view that they were changed from. */
export function SaveView({ of }: { of: ListViews }): ReactNode {
  const { open, last, current, page } = of
  const [isNew, setNew] = useState(false)
  const update = useChange(savedViewUpdate, { changes, done: 'View updated' })
  if (current === '' || open) return isNew && <ViewForm page={page} query={current} onClose={() => setNew(false)} />
  const button = (
    <Button
      variant="default"
      leftSection={<IconBookmarkPlus size={16} aria-hidden />}
      loading={update.isPending}
      {...(!last?.mayChange && { onClick: () => setNew(true) })}
    >
      Save view
    </Button>
  )
  return (
    <>
      {last?.mayChange ? (
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>{button}</Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              onClick={() =>
                update.mutate({
                  path: { view_id: last.id },
                  body: { view: { query: current }, updateMask: 'query' },
                })
              }
            >
              Update “{last.name}”
            </Menu.Item>
            <Menu.Item onClick={() => setNew(true)}>Save as new view</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      ) : (
        button
      )}
      {isNew && <ViewForm page={page} query={current} onClose={() => setNew(false)} />}
    </>
  )
}

type ViewFormProps = { onClose: () => void } & ({ view: SavedView } | { page: string; query: string })

function ViewForm({ onClose, ...of }: ViewFormProps): ReactNode {
  const { may } = useSession()
  const view = 'view' in of ? of.view : null
  const [name, setName] = useState(view?.name ?? '')
  const [isShared, setShared] = useState(view?.isShared ?? false)
  const create = useChange(savedViewCreate, { changes, done: 'View saved', onDone: onClose })
  const update = useChange(savedViewUpdate, { changes, done: 'View saved', onDone: onClose })
  const { isPending, error } = view ? update : create
  const save = (): void => {
    if (view)
      update.mutate({
        path: { view_id: view.id },
        body: { view: { name, isShared }, updateMask: 'name,isShared' },
      })
    else if ('page' in of) create.mutate({ body: { page: of.page, query: of.query, name, isShared } })
  }
  return (
    <FormModal
      opened
      onClose={onClose}
      title={view ? 'Edit view' : 'Save view'}
      verb="Save"
      onSubmit={save}
      isIncomplete={name.trim() === ''}
      isPending={isPending}
      error={error}
      fields={['name']}
    >
      <TextInput
        label="Name"
        required
        data-autofocus
        maxLength={80}
        value={name}
        error={problemOf(error, 'name')}
        onChange={({ currentTarget: { value } }) => setName(value)}
      />
      {may('views.share') && (
        <Checkbox
          label="Share with everyone in the organization"
          checked={isShared}
          onChange={({ currentTarget: { checked } }) => setShared(checked)}
        />
      )}
    </FormModal>
  )
}
