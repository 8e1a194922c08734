import { type Names, namedThing, type Thing, thingOf, withNames } from './things.ts'

/** What the console reads of an event of the system log. The whole of it, as OCSF has it, is shown as it is. */
export type LogEvent = {
  id: string
  at: string
  message: string
  by: { id: string; name: string; client: string; thing: Thing | null }
  from: string
  operation: string
  isSuccess: boolean
  isAlert: boolean
  requestId: string
  reason: string
  credential: Thing | null
  objects: readonly { thing: Thing; resource: Resource }[]
  whole: unknown
}

export type Resource = { type?: string; uid?: string; name?: string; data?: unknown }

type Ocsf = {
  metadata?: { uid?: string }
  time?: number
  message?: string
  severity_id?: number
  actor?: {
    user?: { uid?: string; name?: string }
    app_uid?: string
    invoked_by?: string
    session?: { credential_uid?: string }
  }
  user?: { uid?: string; name?: string }
  src_endpoint?: { ip?: string }
  class_name?: string
  activity_name?: string
  api?: { operation?: string; request?: { uid?: string } }
  status_id?: number
  status_detail?: string
  status_code?: string
  http_request?: { uid?: string }
  resources?: Resource[]
}

const successId = 1
const highId = 4

export function eventOf(
  event: Record<string, unknown> | null,
  names: Names,
  may: (permission: string) => boolean,
): LogEvent {
  const of = (event ?? {}) as Ocsf
  const user = of.actor?.user ?? of.user
  const id = user?.uid ?? ''
  const thing = id === '' ? null : thingOf({ type: 'user', uid: id, name: user?.name ?? '' }, names, may)
  const what = [of.class_name, of.activity_name].filter(Boolean).join(': ')
  return {
    id: of.metadata?.uid ?? '',
    at: new Date(of.time ?? 0).toISOString(),
    message: withNames(of.message || what, names),
    by: { id, name: of.actor?.invoked_by ?? user?.name ?? '', client: of.actor?.app_uid ?? '', thing },
    from: of.src_endpoint?.ip ?? '',
    operation: of.api?.operation ?? '',
    isSuccess: of.status_id === successId,
    isAlert: of.severity_id === highId,
    requestId: of.api?.request?.uid ?? of.http_request?.uid ?? '',
    reason: [of.status_code, of.status_detail].filter(Boolean).join(': '),
    credential: namedThing(of.actor?.session?.credential_uid ?? '', names, may),
    objects: (of.resources ?? []).map((resource) => ({ thing: thingOf(resource, names, may), resource })),
    whole: event,
  }
}
