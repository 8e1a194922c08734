import type { Icon } from '@tabler/icons-react'
import type { AnyRouter } from '@tanstack/react-router'
import type { AttentionKind } from './client/attention.ts'

export type NavigationGroup = 'Requests' | 'Access' | 'Records' | 'You'

/** The kinds of attention by their short names, as `DRIFT`. */
type ShortKind =
  Exclude<AttentionKind, 'ATTENTION_KIND_UNSPECIFIED'> extends `ATTENTION_KIND_${infer Name}` ? Name : never

/** How much of a page is of an earlier moment when the reader looks at the past. */
export type PastOf = 'whole' | 'compared' | 'none'

type NavigationData = {
  group: NavigationGroup
  /** Its place within the group, from the top. */
  position: number
  icon: Icon
  /** Only where it is not the title of the page. */
  label?: string
  /** Offered only to those who hold one of these, although others may open the page: they come by a link. */
  anyOf?: readonly string[]
  /** Marked as open only at this very address. */
  isExact?: true
  /** The key that leads there after `g`. */
  key?: string
  /** The number beside it counts these. */
  attention?: readonly ShortKind[]
  /** The number is work for the caller, rather than what is wrong. */
  isWork?: true
}

type CommandData = {
  label: string
  icon: Icon
  /** Other words that find it. */
  words?: string
  /** Offered to those who hold it; to everyone who may open the page without. */
  permission?: string
  /** The part of the page that it opens. */
  hash?: string
}

/** What the shell knows of a page: written with its route, as its `staticData`. */
export type PageData = {
  /** Of a page that always has the same. */
  title?: string
  /**
   * The permissions of which a caller needs one. A page without is for everyone, or is decided by the thing that it is about: apps,
   * entitlements and tasks are shown to owners, holders and deciders too. The API decides in any case.
   */
  anyOf?: readonly string[]
  /** Open also to those who hold one of them for what they own. */
  isForOwners?: true
  /** Missing where the page has no history. */
  past?: Exclude<PastOf, 'none'>
  /** A page of one thing, such as an app or a person: Ctrl-K offers those that were opened recently. */
  isOfOneThing?: true
  /** The page uses single keys itself, so that those for lists do nothing there. */
  hasOwnKeys?: true
  navigation?: NavigationData
  commands?: readonly CommandData[]
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption extends PageData {}
}

export type Destination = Omit<NavigationData, 'label'> & { label: string; to: string }
export type Command = Omit<CommandData, 'hash'> & ({ to: string } | { run: () => void })

type Pages = Pick<AnyRouter, 'getMatchedRoutes' | 'routesByPath'>
type Caller = Record<'may' | 'mayOnOwned', (permission: string) => boolean> & { user: { id: string } | null }

type Page = { to: string; data: PageData }

const allPages = ({ routesByPath }: Pages): Page[] =>
  Object.entries(routesByPath as Record<string, { options: { staticData?: PageData } }>).map(([to, { options }]) => ({
    to,
    data: options.staticData ?? {},
  }))

/** What is known of the page at an address. */
export const pageAt = (pages: Pages, pathname: string): PageData => {
  const [, , found] = pages.getMatchedRoutes(pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname)
  return found?.options.staticData ?? {}
}

const isOpenTo = ({ may, mayOnOwned }: Caller, { anyOf, isForOwners }: PageData): boolean =>
  !anyOf || anyOf.some((each) => may(each) || (isForOwners && mayOnOwned(each)))

/** The permission that the caller lacks for a page; null where they may open it. */
export function lackingFor(pages: Pages, pathname: string, caller: Caller): string | null {
  // One's own page is the page of a user like others.
  const own = `/users/${caller.user?.id}`
  if (pathname === own || pathname.startsWith(`${own}/`)) {
    return caller.may('grants.own.read') ? null : 'grants.own.read'
  }
  const page = pageAt(pages, pathname)
  return isOpenTo(caller, page) ? null : (page.anyOf?.[0] ?? null)
}

const groups: readonly NavigationGroup[] = ['Requests', 'Access', 'Records', 'You']

/** Where the navigation leads the caller, from the top. */
export const destinationsFor = (pages: Pages, caller: Caller): Destination[] =>
  allPages(pages)
    .flatMap(({ to, data }) =>
      data.navigation && isOpenTo(caller, data) && isOpenTo(caller, { ...data, ...data.navigation })
        ? [{ ...data.navigation, to, label: data.navigation.label ?? data.title ?? '' }]
        : [],
    )
    .toSorted((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group) || a.position - b.position)

/** What Ctrl-K offers the caller to do or to begin. */
export const commandsFor = (pages: Pages, caller: Caller): Command[] =>
  allPages(pages).flatMap(({ to, data }) =>
    isOpenTo(caller, data)
      ? (data.commands ?? [])
          .filter(({ permission }) => !permission || caller.may(permission))
          .map(({ hash, ...command }) => ({ ...command, to: hash ? `${to}#${hash}` : to }))
      : [],
  )
