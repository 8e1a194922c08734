/** What the console reads of an event of the system log. The whole of it, as OCSF has it, is shown as it is. */
export type LogEvent = {
  id: string
  at: string
  message: string
  by: { id: string; name: string; client: string }
  from: string
  what: string
  operation: string
  isSuccess: boolean
  requestId: string
  reason: string
  touched: readonly { type: string; id: string; name: string }[]
  whole: unknown
}

type Ocsf = {
  metadata?: { uid?: string }
  time?: number
  message?: string
  actor?: { user?: { uid?: string; name?: string }; app_uid?: string }
  user?: { uid?: string; name?: string }
  src_endpoint?: { ip?: string }
  class_name?: string
  activity_name?: string
  api?: { operation?: string }
  status_id?: number
  status_detail?: string
  status_code?: string
  http_request?: { uid?: string }
  resources?: { type?: string; uid?: string; name?: string }[]
}

const successId = 1

export function eventOf(event: Record<string, unknown> | null): LogEvent {
  const of = (event ?? {}) as Ocsf
  const user = of.actor?.user ?? of.user
  return {
    id: of.metadata?.uid ?? '',
    at: new Date(of.time ?? 0).toISOString(),
    message: of.message ?? '',
    by: { id: user?.uid ?? '', name: user?.name ?? '', client: of.actor?.app_uid ?? '' },
    from: of.src_endpoint?.ip ?? '',
    what: [of.class_name, of.activity_name].filter(Boolean).join(': '),
    operation: of.api?.operation ?? '',
    isSuccess: of.status_id === successId,
    requestId: of.http_request?.uid ?? '',
    reason: [of.status_code, of.status_detail].filter(Boolean).join(': '),
    touched: (of.resources ?? []).map(({ type = '', uid = '', name = '' }) => ({ type, id: uid, name })),
    whole: event,
  }
}
