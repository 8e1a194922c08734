type Place = { at: RegExp; anyOf: readonly string[]; isForOwners?: true }

/**
 * Which permission a page needs, by its address: one of several. What is not listed here is for everyone, or is decided by the thing that
 * it is about: apps, entitlements and tasks are shown to owners, holders and deciders too. The API decides in any case.
 */
const places: readonly Place[] = [
  { at: /^\/request$/, anyOf: ['profiles.own.read'] },
  { at: /^\/(decide|requests)$/, anyOf: ['tasks.own'] },
  { at: /^\/tasks$/, anyOf: ['tasks.read'] },
  { at: /^\/profiles(\/|$)/, anyOf: ['profiles.read'] },
  { at: /^\/policies(\/|$)/, anyOf: ['policies.read'] },
  { at: /^\/webhooks(\/|$)/, anyOf: ['webhooks.read'] },
  { at: /^\/forms(\/|$)/, anyOf: ['forms.read'] },
  { at: /^\/apps$/, anyOf: ['apps.read'] },
  { at: /^\/users(\/|$)/, anyOf: ['users.read'] },
  { at: /^\/apps\/[^/]+\/resources(\/|$)/, anyOf: ['apps.read'], isForOwners: true },
  { at: /^\/apps\/[^/]+\/accounts$/, anyOf: ['accounts.read'], isForOwners: true },
  { at: /^\/apps\/[^/]+\/accounts\/[^/]+\/owners$/, anyOf: ['owners.read'], isForOwners: true },
  { at: /^\/apps\/[^/]+\/connectors(\/|$)/, anyOf: ['apps.read'], isForOwners: true },
  { at: /^\/apps\/[^/]+(\/entitlements\/[^/]+)?\/requests$/, anyOf: ['policies.read'], isForOwners: true },
  {
    at: /^\/apps\/[^/]+(\/entitlements\/[^/]+)?\/(history|changes|heat-map)$/,
    anyOf: ['grants.read'],
    isForOwners: true,
  },
  { at: /^\/apps\/[^/]+\/entitlements\/[^/]+\/paths$/, anyOf: ['users.read'] },
  {
    at: /^\/apps\/[^/]+\/entitlements\/[^/]+\/(automation|exclusions|runs|versions)$/,
    anyOf: ['automations.read'],
    isForOwners: true,
  },
  { at: /^\/entitlements$/, anyOf: ['entitlements.read'], isForOwners: true },
  { at: /^\/accounts$/, anyOf: ['accounts.read'], isForOwners: true },
  { at: /^\/grants$/, anyOf: ['grants.read'], isForOwners: true },
  { at: /^\/rules$/, anyOf: ['automations.read'], isForOwners: true },
  { at: /^\/(drift|changes|bulk-changes)$/, anyOf: ['grants.read'] },
  { at: /^\/directories(\/|$)/, anyOf: ['directories.read'] },
  { at: /^\/connectors$/, anyOf: ['apps.read'] },
  { at: /^\/connectors\/new$/, anyOf: ['apps.write', 'imports.write'] },
  { at: /^\/imports(\/|$)/, anyOf: ['imports.read', 'imports.write'] },
  { at: /^\/log\/exports(\/|$)/, anyOf: ['exports.read'] },
  { at: /^\/log(\/|$)/, anyOf: ['systemlog.read'] },
  { at: /^\/subscriptions(\/|$)/, anyOf: ['subscriptions.read'] },
  { at: /^\/jobs$/, anyOf: ['jobs.read'] },
  { at: /^\/me$/, anyOf: ['grants.own.read'] },
  { at: /^\/owned$/, anyOf: ['owners.own.read'] },
  { at: /^\/settings\/(credentials|devices)$/, anyOf: ['credentials.own.read'] },
  { at: /^\/settings\/everyone$/, anyOf: ['credentials.read'] },
  { at: /^\/settings\/delegate$/, anyOf: ['users.own.read'] },
  { at: /^\/settings\/(notifications|notification-previews)$/, anyOf: ['notifications.own'] },
  { at: /^\/settings\/organisation-notifications$/, anyOf: ['notifications.read'] },
  { at: /^\/settings\/sign-in$/, anyOf: ['sign-in.read'] },
  { at: /^\/settings\/requests$/, anyOf: ['terms.read'] },
  { at: /^\/settings\/four-eyes$/, anyOf: ['four-eyes.read'] },
]

type Caller = Record<'may' | 'mayOnOwned', (permission: string) => boolean> & { user: { id: string } | null }

/** The permission that the caller lacks for a page; null where they may open it. */
export function lacking(pathname: string, { user, may, mayOnOwned }: Caller): string | null {
  const path = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname
  // One's own page is the page of a user like others.
  const own = `/users/${user?.id}`
  if (path === own || path.startsWith(`${own}/`)) return may('grants.own.read') ? null : 'grants.own.read'
  const place = places.find(({ at }) => at.test(path))
  const isOpen = !place || place.anyOf.some((each) => may(each) || (place.isForOwners && mayOnOwned(each)))
  return isOpen ? null : (place.anyOf[0] ?? null)
}
