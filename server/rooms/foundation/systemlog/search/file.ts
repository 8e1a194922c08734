import { byteOrderMark, csvLine } from '#kernel/csv.ts'
import { Download } from '#kernel/download.ts'
import type { Call } from '#kernel/routes.ts'
import type { EventFilter } from '../store.ts'
import type { Read, Wanted } from './decide.ts'
import { type Found, walk } from './walk.ts'

export const fileEventsMax = 100_000
// Longer than this many events take on a good connection; slower readers are ended so that others can read.
const fileMs = 300_000

const columns: readonly [header: string, of: (event: Read) => string][] = [
  ['time', ({ time }) => (time === undefined ? '' : new Date(time).toISOString())],
  ['event_id', ({ metadata }) => metadata?.uid ?? ''],
  ['message', ({ message }) => message ?? ''],
  ['outcome', ({ status_id }) => (status_id === 1 ? 'success' : 'failure')],
  ['reason', ({ status_code, status_detail }) => [status_code, status_detail].filter(Boolean).join(': ')],
  ['actor_id', ({ actor, user }) => (actor?.user ?? user)?.uid ?? ''],
  ['actor_name', ({ actor, user }) => (actor?.user ?? user)?.name ?? ''],
  ['actor_email', ({ actor, user }) => (actor?.user ?? user)?.email_addr ?? ''],
  ['client_id', ({ actor }) => actor?.app_uid ?? actor?.session?.credential_uid ?? ''],
  ['source_ip', ({ src_endpoint }) => src_endpoint?.ip ?? ''],
  ['operation', ({ api }) => api?.operation ?? ''],
  ['request_id', ({ api, http_request }) => api?.request?.uid ?? http_request?.uid ?? ''],
  [
    'objects',
    ({ resources }) =>
      (resources ?? []).map(({ type, uid, name }) => `${type} ${name ? `${name} ` : ''}(${uid})`).join('; '),
  ],
]

const cutNote = `The export ends here: it contains at most ${fileEventsMax} events. Export an earlier or a later time separately.`

type Format = {
  type: string
  begin: string
  one: (found: Found, isFirst: boolean) => string
  end: (isCut: boolean) => string
}
const formats: Record<'csv' | 'json', Format> = {
  csv: {
    type: 'text/csv; charset=utf-8',
    begin: byteOrderMark + csvLine(columns.map(([header]) => header)),
    one: ({ event }) => csvLine(columns.map(([, of]) => of(event))),
    end: (isCut) => (isCut ? csvLine(['', '', cutNote]) : ''),
  },
  json: {
    type: 'application/json',
    begin: '{"events":[',
    // As it was recorded, byte for byte.
    one: ({ text }, isFirst) => `${isFirst ? '' : ','}\n${text}`,
    end: (isCut) => `\n],"truncated":${isCut}}\n`,
  },
}

/** The results of a search, as a file: read one step ahead of the client, and never held in memory as a whole. */
export async function openFile(
  call: Call,
  filter: EventFilter,
  wanted: Wanted,
  format: 'csv' | 'json',
): Promise<Download> {
  const { type, begin, one, end } = formats[format]
  const steps = walk(call, filter, wanted)
  const deadline = performance.now() + fileMs
  // Before the first byte is sent, so that an error has a status.
  const first = await steps.next()
  async function* pieces(): AsyncGenerator<string> {
    yield begin
    let count = 0
    for (let step = first; !step.done; step = await steps.next()) {
      const texts: string[] = []
      for (const found of step.value.found) {
        if (count === fileEventsMax) {
          yield texts.join('') + end(true)
          return
        }
        texts.push(one(found, count++ === 0))
      }
      if (texts.length > 0) yield texts.join('')
      if (performance.now() > deadline) throw new Error('the export of events took too long')
    }
    yield end(false)
  }
  const day = call.now().toISOString().slice(0, 10)
  return new Download(type, `system-log-${day}.${format}`, pieces())
}
