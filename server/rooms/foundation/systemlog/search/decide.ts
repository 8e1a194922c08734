/** The conditions of a search of the log, apart from the time. Empty means any. */
export type Wanted = {
  /** Who did it, or signed in. */
  actorId: string
  /** An object of the event, or an object that its data mentions. */
  objectId: string
  objectType: string
  kind: Kind
  outcome: Outcome
  /** Words that all occur in its message, names, reason or operation; case is ignored. */
  query: string
}

export const kinds = [
  'EVENT_KIND_UNSPECIFIED',
  'EVENT_KIND_CREATE',
  'EVENT_KIND_UPDATE',
  'EVENT_KIND_DELETE',
  'EVENT_KIND_READ',
  'EVENT_KIND_SIGN_IN',
  'EVENT_KIND_SIGN_OUT',
  'EVENT_KIND_TOKEN',
  'EVENT_KIND_DENIAL',
  'EVENT_KIND_ALERT',
] as const
export type Kind = (typeof kinds)[number]

export const outcomes = ['EVENT_OUTCOME_UNSPECIFIED', 'EVENT_OUTCOME_SUCCESS', 'EVENT_OUTCOME_FAILURE'] as const
export type Outcome = (typeof outcomes)[number]

/** The parts of an event that a search reads. */
export type Read = {
  readonly type_uid?: number
  readonly severity_id?: number
  readonly status_id?: number
  readonly time?: number
  readonly message?: string
  readonly status_code?: string
  readonly status_detail?: string
  readonly auth_protocol_id?: number
  readonly metadata?: { readonly uid?: string }
  readonly user?: Person
  readonly actor?: {
    readonly user?: Person
    readonly app_uid?: string
    readonly invoked_by?: string
    readonly session?: { readonly credential_uid?: string }
  }
  readonly src_endpoint?: { readonly ip?: string }
  readonly api?: {
    readonly operation?: string
    readonly request?: { readonly uid?: string }
    readonly response?: { readonly code?: number }
  }
  readonly http_request?: { readonly uid?: string }
  readonly resources?: readonly Thing[]
}
type Person = { readonly uid?: string; readonly name?: string; readonly email_addr?: string }
type Thing = { readonly type?: string; readonly uid?: string; readonly name?: string; readonly data?: unknown }

const oauth2 = 6
const high = 4
const is: Record<Kind, (event: Read) => boolean> = {
  EVENT_KIND_UNSPECIFIED: () => true,
  EVENT_KIND_CREATE: ({ type_uid }) => type_uid === 600_301,
  EVENT_KIND_READ: ({ type_uid }) => type_uid === 600_302,
  EVENT_KIND_UPDATE: ({ type_uid }) => type_uid === 600_303,
  EVENT_KIND_DELETE: ({ type_uid }) => type_uid === 600_304,
  EVENT_KIND_SIGN_IN: ({ type_uid, auth_protocol_id }) => type_uid === 300_201 && auth_protocol_id !== oauth2,
  EVENT_KIND_SIGN_OUT: ({ type_uid }) => type_uid === 300_202,
  EVENT_KIND_TOKEN: ({ type_uid, auth_protocol_id }) => type_uid === 300_201 && auth_protocol_id === oauth2,
  EVENT_KIND_DENIAL: ({ api }) => api?.response?.code !== undefined,
  EVENT_KIND_ALERT: ({ severity_id }) => severity_id === high,
}

/** Texts that occur in every event of a kind: those without them need not be read. */
const marks: Record<Kind, readonly string[]> = {
  EVENT_KIND_UNSPECIFIED: [],
  EVENT_KIND_CREATE: ['"type_uid":600301,'],
  EVENT_KIND_READ: ['"type_uid":600302,'],
  EVENT_KIND_UPDATE: ['"type_uid":600303,'],
  EVENT_KIND_DELETE: ['"type_uid":600304,'],
  EVENT_KIND_SIGN_IN: ['"type_uid":300201,'],
  EVENT_KIND_SIGN_OUT: ['"type_uid":300202,'],
  EVENT_KIND_TOKEN: ['"type_uid":300201,', '"auth_protocol_id":6,'],
  EVENT_KIND_DENIAL: ['"response":{"code":'],
  EVENT_KIND_ALERT: ['"severity_id":4'],
}

const statusOf = { EVENT_OUTCOME_UNSPECIFIED: 0, EVENT_OUTCOME_SUCCESS: 1, EVENT_OUTCOME_FAILURE: 2 } as const

const wordsIn = (query: string): string[] =>
  query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')

/** The longest run of letters and digits that lower() treats alike in any collation, and that JSON does not escape. */
const plainPart = (word: string): string =>
  [...word.matchAll(/[a-z0-9]+/g)].map(([run]) => run).reduce((a, b) => (b.length > a.length ? b : a), '')

/** Whether there are no conditions: then no event needs to be examined. */
export const asksForAll = ({ actorId, objectId, objectType, kind, outcome, query }: Wanted): boolean =>
  actorId === '' && objectId === '' && objectType === '' && kind === kinds[0] && outcome === outcomes[0] && query === ''

/**
 * Texts that occur in every matching event: unchanged, and in lower case. The database excludes events without them,
 * which takes it about a microsecond per event; `fits` decides about the rest.
 */
export function requiredTexts({ actorId, objectId, objectType, kind, outcome, query }: Wanted): {
  exact: string[]
  lower: string[]
} {
  const status = statusOf[outcome]
  const quoted = (id: string): string[] => (id === '' ? [] : [JSON.stringify(id)])
  return {
    exact: [
      ...marks[kind],
      ...(status === 0 ? [] : [`"status_id":${status},`]),
      ...quoted(actorId),
      ...quoted(objectId),
      ...(objectType === '' ? [] : [`"type":${JSON.stringify(objectType)}`]),
    ],
    lower: wordsIn(query)
      .map(plainPart)
      .filter((part) => part.length > 1),
  }
}

/** Whether a value, or anything in it, equals the text. */
function holds(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value === text
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((each) => holds(each, text))
}

const personOf = ({ actor, user }: Read): Person | undefined => actor?.user ?? user

/** The text of an event in which the words of a search are looked for. */
const wordingOf = (event: Read): string =>
  [
    event.message,
    event.status_code,
    event.status_detail,
    event.api?.operation,
    event.src_endpoint?.ip,
    event.api?.request?.uid ?? event.http_request?.uid,
    event.metadata?.uid,
    personOf(event)?.name,
    personOf(event)?.email_addr,
    event.actor?.app_uid,
    event.actor?.invoked_by,
    ...(event.resources ?? []).flatMap(({ type, uid, name }) => [type, uid, name]),
  ]
    .filter(Boolean)
    .join('\n')
    .toLowerCase()

export function fitting(wanted: Wanted): (event: Read) => boolean {
  const { actorId, objectId, objectType, kind, outcome } = wanted
  const status = statusOf[outcome]
  const words = wordsIn(wanted.query)
  return (event) => {
    if (!is[kind](event)) return false
    if (status !== 0 && event.status_id !== status) return false
    if (actorId !== '' && personOf(event)?.uid !== actorId) return false
    const things = event.resources ?? []
    if (objectType !== '' && !things.some(({ type }) => type === objectType)) return false
    if (objectId !== '' && !things.some(({ uid, data }) => uid === objectId || holds(data, objectId))) return false
    if (words.length === 0) return true
    const wording = wordingOf(event)
    return words.every((word) => wording.includes(word))
  }
}
