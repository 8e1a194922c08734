import type { NamedInEvents } from '#client/api/types.ts'

/** The things that the events of a reply mention, by id. */
export type Names = ReadonlyMap<string, NamedInEvents>
export const namesIn = (list: readonly NamedInEvents[]): Names => new Map(list.map((named) => [named.id, named]))

/** Something that an event mentions: its name, and its page. */
export type Thing = {
  id: string
  type: string
  label: string
  /** What it belongs to. */
  about: string
  /** Empty if it has no page. */
  to: string
  isDeleted: boolean
}

type Where = { id: string; appId: string; parentId: string }
type Place = { permission: string; path(where: Where): string }

const inApp = (path: (where: Where) => string) => (where: Where) => (where.appId === '' ? '' : path(where))

/** By the type of an event's resource: its page, and who may open it. */
const places: Readonly<Record<string, Place>> = {
  user: { permission: 'users.read', path: ({ id }) => `/users/${id}` },
  'service principal': { permission: 'principals.read', path: ({ id }) => `/principals/${id}` },
  app: { permission: 'apps.read', path: ({ id }) => `/apps/${id}` },
  directory: { permission: 'directories.read', path: ({ id }) => `/directories/${id}` },
  entitlement: {
    permission: 'entitlements.read',
    path: inApp(({ appId, id }) => `/apps/${appId}/entitlements/${id}`),
  },
  automation: {
    permission: 'automations.read',
    path: inApp(({ appId, id }) => `/apps/${appId}/entitlements/${id}/automation`),
  },
  account: { permission: 'accounts.read', path: inApp(({ appId, id }) => `/apps/${appId}/accounts/${id}`) },
  resource: {
    permission: 'apps.read',
    path: inApp(({ appId, parentId, id }) => (parentId === '' ? '' : `/apps/${appId}/resources/${parentId}/${id}`)),
  },
  connector: { permission: 'apps.read', path: inApp(({ appId, id }) => `/apps/${appId}/connectors/${id}`) },
  policy: { permission: 'policies.read', path: ({ id }) => `/policies/${id}` },
  request_catalog: { permission: 'profiles.read', path: ({ id }) => `/profiles/${id}` },
  request_schema: { permission: 'forms.read', path: ({ id }) => `/forms/${id}` },
  webhook: { permission: 'webhooks.read', path: ({ id }) => `/webhooks/${id}` },
  subscription: { permission: 'subscriptions.read', path: ({ id }) => `/subscriptions/${id}` },
  export: { permission: 'exports.read', path: ({ id }) => `/log/exports/${id}` },
  import: { permission: 'imports.read', path: ({ id }) => `/imports/${id}` },
  task: { permission: 'tasks.read', path: ({ id }) => `/tasks/${id}` },
  credential: { permission: 'users.read', path: ({ parentId }) => (parentId === '' ? '' : `/users/${parentId}`) },
}

const typeNames: Readonly<Record<string, string>> = {
  request_catalog: 'access profile',
  request_schema: 'form',
  credential: 'API credential',
  automation: 'rule',
  resource_type: 'resource type',
  attribute_value: 'attribute value',
  routing_rule: 'routing rule',
  connector_task: 'connector task',
  drift_run: 'remedy of drift',
  chat_webhook: 'chat webhook',
  email_provider: 'mail sender',
}

/** A type as it is shown. */
export const typeName = (type: string): string => typeNames[type] ?? type.replaceAll('_', ' ')

/** The types that the log can be filtered by. */
export const filteredTypes = [
  ...['user', 'service principal', 'credential', 'role', 'app', 'entitlement', 'account', 'grant', 'resource'],
  ...['automation', 'connector', 'directory', 'import', 'policy', 'request_catalog', 'request_schema', 'task'],
  ...['webhook', 'subscription', 'export', 'session', 'passkey'],
]

type Resource = { type?: string; uid?: string; name?: string; data?: unknown }
const textIn = (data: unknown, name: string): string => {
  const value = (data as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'string' ? value : ''
}

type May = (permission: string) => boolean

const pathTo = (type: string, where: Where, may: May): string => {
  const place = places[type]
  return place && may(place.permission) ? place.path(where) : ''
}

/** The thing that a resource of an event is. The recorded name takes precedence: deleted things keep it. */
export function thingOf({ type = '', uid = '', name = '', data }: Resource, names: Names, may: May): Thing {
  if (type === 'grant') return grantOf(uid, data, names, may)
  const known = names.get(uid)
  const where = {
    id: uid,
    appId: known?.appId || textIn(data, 'appId'),
    parentId: known?.parentId || textIn(data, 'appResourceTypeId'),
  }
  // In most events a service principal is a user.
  const kind = known?.type === 'service principal' ? known.type : type
  return {
    id: uid,
    type: kind,
    // A thing without a name, such as a session, is shown by its type: its id means nothing to people, and is in the
    // recorded event.
    label: name || known?.displayName || '',
    about: known?.appName || names.get(where.appId)?.displayName || '',
    to: known?.isDeleted && kind !== 'user' && kind !== 'app' ? '' : pathTo(kind, where, may),
    isDeleted: known?.isDeleted ?? false,
  }
}

/** A grant has no name: it is shown by its account and entitlement, and opened on the page of the entitlement. */
function grantOf(id: string, data: unknown, names: Names, may: May): Thing {
  const [appId, entitlementId, accountId] = ['appId', 'entitlementId', 'accountId'].map((name) => textIn(data, name))
  const account = names.get(accountId ?? '')
  const entitlement = names.get(entitlementId ?? '')
  const label = [account?.displayName, entitlement?.displayName].filter(Boolean).join(' · ')
  return {
    id,
    type: 'grant',
    label,
    about: names.get(appId ?? '')?.displayName ?? '',
    to: pathTo('entitlement', { appId: appId ?? '', id: entitlementId ?? '', parentId: '' }, may),
    isDeleted: false,
  }
}

/** A thing by its id alone; null if the id is unknown. */
export function namedThing(id: string, names: Names, may: May): Thing | null {
  const known = names.get(id)
  return known ? thingOf({ type: known.type, uid: id, name: known.displayName }, names, may) : null
}

const idInText = /\b[0-9A-Za-z]{27}\b/g

/** A message with names in place of ids. */
export const withNames = (text: string, names: Names): string =>
  text.replace(idInText, (id) => names.get(id)?.displayName || id)
