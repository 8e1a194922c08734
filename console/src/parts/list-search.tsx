import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import classes from './data-list.module.css'
import type { ListState } from './list-state.ts'

const typingMs = 250

type SearchFieldProps = { state: ListState; label: string; isWide: boolean }

export function SearchField({ state, label, isWide }: SearchFieldProps): ReactNode {
  const [typed, setTyped] = useState(state.query)
  const sent = useRef(state.query)
  const router = useRouter()
  const send = useDebouncedCallback((value: string) => {
    // If a link was followed meanwhile, this does not interrupt it, however long its page takes to load.
    if (router.latestLocation.pathname !== router.state.resolvedLocation?.pathname) return
    sent.current = value
    state.set({ q: value }, true)
  }, typingMs)
  // Going back, or a link, changes the address without anyone typing.
  useEffect(() => {
    if (state.query !== sent.current) setTyped(state.query)
    sent.current = state.query
  }, [state.query])
  return (
    <TextInput
      className={`${classes.search} ${isWide ? classes.wide : ''}`}
      type="search"
      placeholder={label}
      aria-label={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        send(value)
      }}
    />
  )
}
