import { useNavigate, useSearch } from '@tanstack/react-router'

/** The state of a list, which its address holds: `?q=…&page=…&size=…` and whatever filters it has. */
export type ListState = {
  query: string
  pageToken: string
  pageSize: number
  filter(name: string): string
  isFiltered: boolean
  /** Changes filters, or the query `q`; begins at the first page again. `replace` leaves no step to go back to. */
  set(changes: Readonly<Record<string, string>>, replace?: boolean): void
  turnTo(pageToken: string): void
  clear(): void
}

export const pageSizes = [25, 50, 100] as const
const ofPages = new Set(['page', 'size'])
/** What a page shows, rather than what is filtered from it: the moment, or the two that are compared. */
const ofViews = ['as_of', 'from', 'to', 'last', 'subject'] as const

export function useListState(): ListState {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const go = (next: Readonly<Record<string, string | undefined>>, replace = false): void =>
    void navigate({ to: '.', search: next, replace, resetScroll: false })
  const size = Number(search['size'])
  return {
    query: search['q'] ?? '',
    pageToken: search['page'] ?? '',
    pageSize: pageSizes.find((each) => each === size) ?? pageSizes[0],
    filter: (name) => search[name] ?? '',
    isFiltered: Object.entries(search).some(
      ([name, value]) => !ofPages.has(name) && !ofViews.some((each) => each === name) && value,
    ),
    set: (changes, replace) => go({ ...search, page: undefined, ...changes }, replace),
    turnTo: (page) => go({ ...search, page }),
    clear: () => go({ size: search['size'], ...Object.fromEntries(ofViews.map((name) => [name, search[name]])) }),
  }
}

// The API's page tokens lead forward only. Where each was found is remembered for the way back, as long as the tab lives.
const storageKey = 'bailiwick-pages'
const remembered = (): Record<string, string> => {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as Record<string, string>
  } catch {
    return {}
  }
}
/** The token of the page before this one; undefined where the reader came by a link and nobody knows. */
export const pageBefore = (pageToken: string): string | undefined => remembered()[pageToken]
export function rememberPage(next: string, current: string): void {
  const pages = remembered()
  const kept = Object.entries(pages).slice(-200)
  sessionStorage.setItem(storageKey, JSON.stringify({ ...Object.fromEntries(kept), [next]: current }))
}
