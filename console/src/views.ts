import { type Icon, IconBuilding, IconSettings } from '@tabler/icons-react'
import { type Caller, type Destination, destinationsFor, type Pages, type SectionName, type View } from './page-data.ts'

/** The navigation of each view, of what the pages say of themselves in `staticData`. */

/** The sections that each view lists, with their places among its pages. */
const sectionsOf: Readonly<Record<View, Partial<Record<SectionName, number>>>> = {
  employee: { Settings: 7 },
  owner: { Settings: 8 },
  administrator: { Apps: 4, Access: 5, Users: 6, Policies: 7, Activity: 8, Organization: 9 },
  auditor: { Access: 4, Apps: 5, Users: 6, Policies: 8, Organization: 9 },
}

/** Of sections that are about more than their first page. */
const icons: Partial<Record<SectionName, Icon>> = { Organization: IconBuilding, Settings: IconSettings }

export const viewLabels: Readonly<Record<View, string>> = {
  employee: 'Employee',
  owner: 'Owner',
  administrator: 'Administrator',
  auditor: 'Auditor',
}

type Permitted = Caller & { permissions: readonly string[] }

const isAdministrative = (permission: string): boolean =>
  /\.(?:write|manage|assign)$/.test(permission) && !permission.includes('.own.')

/** The views that a person has, the one that most of their work is in first. */
export function viewsOf({ permissions, mayOnOwned }: Permitted): View[] {
  const has = (permission: string): boolean => permissions.includes(permission)
  const all: Readonly<Record<View, boolean>> = {
    administrator: permissions.some(isAdministrative),
    auditor: has('systemlog.read') || has('grants.read'),
    // Who reads all entitlements finds there also those that they own.
    owner: mayOnOwned('entitlements.read') && !has('entitlements.read'),
    employee: ['profiles.own.read', 'tasks.own', 'grants.own.read'].some(has),
  }
  const own = (Object.keys(all) as View[]).filter((view) => all[view])
  return own.length > 0 ? own : ['employee']
}

/** An item of the navigation: a page, or a section with several. */
export type Item = Pick<Destination, 'label' | 'icon'> & {
  /** The page that it leads to. */
  to: string
  pages: readonly Destination[]
}

/** The tabs of a section, each with the pages that stand under it. */
export type SectionTab = Destination & { parts: readonly Destination[] }

export function tabsOf(section: SectionName, destinations: readonly Destination[]): SectionTab[] {
  const own = destinations.filter((each) => each.section === section)
  const byPosition = (a: Destination, b: Destination): number => (a.position ?? 0) - (b.position ?? 0)
  const open = new Set(own.map(({ to }) => to))
  // What stands under a page that the caller may not open is a tab itself.
  return own
    .filter(({ under }) => !under || !open.has(under))
    .map((tab) => ({ ...tab, parts: own.filter(({ under }) => under === tab.to).toSorted(byPosition) }))
    .toSorted(byPosition)
}

/** The items of a view, from the top: only what the caller may open. */
export function itemsOf(view: View, pages: Pages, caller: Caller): Item[] {
  const destinations = destinationsFor(pages, caller)
  const places = destinations.flatMap((each) => {
    const at = each.views?.[view]
    return at === undefined ? [] : [{ at, item: { label: each.label, icon: each.icon, to: each.to, pages: [each] } }]
  })
  const sections = (Object.entries(sectionsOf[view]) as [SectionName, number][]).flatMap(([section, at]) => {
    const tabs = tabsOf(section, destinations)
    const [first] = tabs
    const own = tabs.flatMap((tab) => [tab, ...tab.parts])
    return first ? [{ at, item: { label: section, icon: icons[section] ?? first.icon, to: first.to, pages: own } }] : []
  })
  return [...places, ...sections].toSorted((a, b) => a.at - b.at).map(({ item }) => item)
}

/** The page of some whose address begins an address with the most of its steps, as `/log/exports` begins `/log/exports/7`. */
export function nearest<T extends { to: string; isExact?: boolean }>(pages: readonly T[], pathname: string): T | null {
  const path = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname
  return pages
    .filter(({ to, isExact }) => path === to || (!isExact && to !== '/' && path.startsWith(`${to}/`)))
    .reduce<T | null>((best, each) => (best && best.to.length >= each.to.length ? best : each), null)
}
