import type { Icon } from '@tabler/icons-react'
import type { AnyRouter } from '@tanstack/react-router'
import type { AttentionKind } from './client/attention.ts'

export type NavigationGroup = 'Requests' | 'Access' | 'Records' | 'You'

/** The kinds of attention by their short names, as `DRIFT`. */
type ShortKind =
  Exclude<AttentionKind, 'ATTENTION_KIND_UNSPECIFIED'> extends `ATTENTION_KIND_${infer Name}` ? Name : never

/** How much of a page shows an earlier moment when the reader looks at the past. */
export type PastOf = 'whole' | 'compared' | 'none'

type NavigationData = {
  group: NavigationGroup
  /** Its place within the group, from the top. */
  position: number
  icon: Icon
  /** Only if it is not the title of the page. */
  label?: string
  /** Offered only to users with one of these permissions, although others may open the page through a link. */
  anyOf?: readonly string[]
  /** Marked as open only at exactly this address. */
  isExact?: true
  /** The key that opens it after `g`. */
  key?: string
  /** The kinds that the number beside it counts. */
  attention?: readonly ShortKind[]
  /** Counted only for users with this permission: to others the page lists less than the number counts. */
  attentionFor?: string
  /** The number counts work for the caller, rather than problems. */
  isWork?: true
}

type CommandData = {
  label: string
  icon: Icon
  /** Other words that find it. */
  words?: string
  /** Offered to those who have it; without it, to everyone who may open the page. */
  permission?: string
  /** The part of the page that it opens. */
  hash?: string
}

/** What the shell knows about a page: written with its route, as its `staticData`. */
export type PageData = {
  /** For a page that always has the same title. */
  title?: string
  /**
   * The permissions of which a caller needs one. A page without them is for everyone, or depends on the thing that it shows:
   * apps, entitlements and tasks are shown to owners, holders and deciders too. The API decides in any case.
   */
  anyOf?: readonly string[]
  /** Open also to those who hold one of them for what they own. */
  isForOwners?: true
  /** Missing if the page has no history. */
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

/** The data of the page at an address. */
export const pageAt = (pages: Pages, pathname: string): PageData => {
  const [, , found] = pages.getMatchedRoutes(pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname)
  return found?.options.staticData ?? {}
}

const isOpenTo = ({ may, mayOnOwned }: Caller, { anyOf, isForOwners }: PageData): boolean =>
  !anyOf || anyOf.some((each) => may(each) || (isForOwners && mayOnOwned(each)))

/** The permission that the caller lacks for a page; null if they may open it. */
export function lackingFor(pages: Pages, pathname: string, caller: Caller): string | null {
  // The caller's own page has the address of a user's page.
  const own = `/users/${caller.user?.id}`
  if (pathname === own || pathname.startsWith(`${own}/`)) {
    return caller.may('grants.own.read') ? null : 'grants.own.read'
  }
  const page = pageAt(pages, pathname)
  return isOpenTo(caller, page) ? null : (page.anyOf?.[0] ?? null)
}

const groups: readonly NavigationGroup[] = ['Requests', 'Access', 'Records', 'You']

/** The navigation of the caller, from the top. */
export const destinationsFor = (pages: Pages, caller: Caller): Destination[] =>
  allPages(pages)
    .flatMap(({ to, data }) =>
      data.navigation && isOpenTo(caller, data) && isOpenTo(caller, { ...data, ...data.navigation })
        ? [
            {
              ...data.navigation,
              ...(data.navigation.attentionFor && !caller.may(data.navigation.attentionFor) && { attention: [] }),
              to,
              label: data.navigation.label ?? data.title ?? '',
            },
          ]
        : [],
    )
    .toSorted((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group) || a.position - b.position)

/** The commands that Ctrl-K offers the caller. */
export const commandsFor = (pages: Pages, caller: Caller): Command[] =>
  allPages(pages).flatMap(({ to, data }) =>
    isOpenTo(caller, data)
      ? (data.commands ?? [])
          .filter(({ permission }) => !permission || caller.may(permission))
          .map(({ hash, ...command }) => ({ ...command, to: hash ? `${to}#${hash}` : to }))
      : [],
  )
