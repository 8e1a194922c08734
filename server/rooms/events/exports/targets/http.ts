import type { Outgoing } from '#kernel/outgoing/send.ts'
import { compress } from '../compress.ts'
import type { HttpSource } from '../datasources/datasource.ts'
import { postTo } from './sending.ts'
import type { CollectorTarget } from './target.ts'

/** A collector that accepts lines of OCSF JSON over HTTP. */
export const httpTarget = (source: HttpSource, outgoing: Outgoing, signal: AbortSignal): CollectorTarget => ({
  isArchive: false,
  async deliver({ name, rows, format }) {
    const lines = rows.map((row) => (source.shape === 'splunk' ? splunkLine(row) : row.event))
    const body = await compress(format, Buffer.from(`${lines.join('\n')}\n`))
    await postTo(outgoing, source, {
      body,
      headers: {
        'content-type': source.shape === 'splunk' ? 'application/json' : 'application/x-ndjson',
        'content-encoding': format,
        // The same for each attempt: a collector that supports it ignores a repeated request.
        'idempotency-key': name,
      },
      signal,
    })
    return { note: '', bytes: body.length }
  },
  close() {},
})

const splunkLine = ({ event, occurredAt }: { event: string; occurredAt: Date }): string =>
  `{"time":${occurredAt.getTime() / 1000},"sourcetype":"ocsf","source":"bailiwick","event":${event}}`
