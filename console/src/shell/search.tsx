import { Modal, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useSession } from '../client/session.ts'
import { type Found, finders } from './finders.ts'
import { openTo } from './navigation.ts'

const waitMs = 150

/** Ctrl-K: pages by their names, and what is governed by the API's own searches. */
export function Search(): ReactNode {
  const { may } = useSession()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [query] = useDebouncedValue(typed.trim(), waitMs)
  const pages = openTo(may).filter(({ label }) => label.toLowerCase().includes(typed.trim().toLowerCase()))
  const found = useQuery({
    queryKey: ['search', query],
    enabled: query !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      Promise.all(finders.filter(({ permission }) => may(permission)).map(({ find }) => find(query, signal))),
  })
  const groups = [
    { group: 'Pages', own: pages.map(({ label, to }): Found => ({ id: to, label, description: '', to })) },
    ...(query === '' ? [] : finders.filter(({ permission }) => may(permission))).map(({ group }, index) => ({
      group,
      own: found.data?.[index] ?? [],
    })),
  ].filter(({ own }) => own.length > 0)

  const go = (to: string): void => {
    spotlight.close()
    void navigate({ href: to })
  }

  return (
    <Spotlight.Root
      query={typed}
      onQueryChange={setTyped}
      shortcut={null}
      clearQueryOnClose
      overlayProps={{ backgroundOpacity: 0.5 }}
    >
      <VisuallyHidden>
        <Modal.Title>Search</Modal.Title>
      </VisuallyHidden>
      <Spotlight.Search
        placeholder="Search users, apps, entitlements, connectors, tasks and pages"
        aria-label="Search"
        leftSection={<IconSearch size={18} aria-hidden />}
      />
      <Spotlight.ActionsList>
        {groups.map(({ group, own }) => (
          <Spotlight.ActionsGroup key={group} label={group}>
            {own.map(({ id, label, description, to }) => (
              <Spotlight.Action key={id} label={label} description={description} onClick={() => go(to)} />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 && (
          <Spotlight.Empty>{found.isFetching ? 'Searching…' : `No results for “${typed.trim()}”.`}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
