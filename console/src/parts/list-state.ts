import { useNavigate, useSearch } from '@tanstack/react-router'

/** What a list is sorted by; an empty key is its own order. */
export type Sort = { key: string; isDescending: boolean }

/** The state of a list, which its address holds: `?q=…&sort=…&page=…&size=…` and whatever filters it has. */
export type ListState = {
  query: string
  pageToken: string
  pageSize: number
  /** As the API takes it: `name`, `name desc`, or nothing. */
  orderBy: string
  sort: Sort
  /** Sorts by a column: upwards, then downwards, then in the list's own order again. */
  sortBy(key: string): void
  filter(name: string): string
  /** The values of a filter that may have several. */
  values<T extends string = string>(name: string): T[]
  isFiltered: boolean
  /** The filters and the sort, without the page: what a saved view keeps. */
  view: Readonly<Record<string, string>>
  /** Names the search and the filters: the same text for the same rows. */
  scope: string
  /** Changes filters, or the query `q`; begins at the first page again. `replace` leaves no step to go back to. */
  set(changes: Readonly<Record<string, string>>, replace?: boolean): void
  /** Shows a saved view in place of everything. */
  show(view: Readonly<Record<string, string>>): void
  turnTo(pageToken: string): void
  clear(): void
}

export const pageSizes = [25, 50, 100] as const
const ofPages = new Set(['page', 'size'])
/** What a page shows, rather than what is filtered from it: the moment, or the two that are compared; a row that is open. */
const ofViews = ['as_of', 'from', 'to', 'last', 'subject', 'run'] as const
/** What does not change how many rows there are. */
const notCounted = new Set([...ofPages, 'sort'])
const notFilters = new Set([...notCounted, ...ofViews])

const sortIn = (text: string): Sort =>
  text.startsWith('-') ? { key: text.slice(1), isDescending: true } : { key: text, isDescending: false }

// In the address, several values of a filter are separated by commas, so a comma in a value is written as %2C.
/** Values as the address holds them. */
export const joinValues = (values: readonly string[]): string =>
  values.map((value) => value.replaceAll('%', '%25').replaceAll(',', '%2C')).join(',')
/** Values from the address. */
const splitValues = (text: string): string[] =>
  text
    .split(',')
    .filter((value) => value !== '')
    .map((value) => value.replaceAll('%2C', ',').replaceAll('%25', '%'))

export function useListState(): ListState {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const go = (next: Readonly<Record<string, string | undefined>>, replace = false): void =>
    void navigate({ to: '.', search: next, replace, resetScroll: false })
  const size = Number(search['size'])
  const sort = sortIn(search['sort'] ?? '')
  const without = (names: ReadonlySet<string>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(search).flatMap(([name, value]) => (!names.has(name) && value ? [[name, value]] : [])),
    )
  const filters = without(notFilters)
  const sorted = (key: string): string => {
    if (sort.key !== key) return key
    return sort.isDescending ? '' : `-${key}`
  }
  return {
    query: search['q'] ?? '',
    pageToken: search['page'] ?? '',
    pageSize: pageSizes.find((each) => each === size) ?? pageSizes[0],
    orderBy: sort.isDescending ? `${sort.key} desc` : sort.key,
    sort,
    sortBy: (key) => go({ ...search, page: undefined, sort: sorted(key) || undefined }),
    filter: (name) => search[name] ?? '',
    values: <T extends string>(name: string) => splitValues(search[name] ?? '') as T[],
    isFiltered: Object.keys(filters).length > 0,
    view: without(ofPages),
    scope: JSON.stringify(without(notCounted)),
    set: (changes, replace) => go({ ...search, page: undefined, ...changes }, replace),
    show: (view) => go({ size: search['size'], ...view }),
    turnTo: (page) => go({ ...search, page }),
    clear: () =>
      go({
        size: search['size'],
        sort: search['sort'],
        ...Object.fromEntries(ofViews.map((name) => [name, search[name]])),
      }),
  }
}

// The API's page tokens lead forward only. Where each was found is remembered for the way back, as long as the tab lives.
const storageKey = 'bailiwick-pages'
const rememberedMax = 200
const remembered = (): Record<string, string> => {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as Record<string, string>
  } catch {
    return {}
  }
}
/** The token of the page before this one; undefined where the reader came by a link and nobody knows. */
export const pageBefore = (pageToken: string): string | undefined => remembered()[pageToken]
/** How many pages lie before this one; null where the reader came by a link and nobody knows. */
export function pagesBefore(pageToken: string): number | null {
  const pages = remembered()
  let count = 0
  for (let token = pageToken; token !== ''; count++) {
    const before = pages[token]
    if (before === undefined || count > rememberedMax) return null
    token = before
  }
  return count
}
export function rememberPage(next: string, current: string): void {
  const pages = remembered()
  const kept = Object.entries(pages).slice(-rememberedMax)
  sessionStorage.setItem(storageKey, JSON.stringify({ ...Object.fromEntries(kept), [next]: current }))
}
