import type { Outgoing } from '#kernel/outgoing/send.ts'
import { version } from '#kernel/version.ts'
import type { SealedRow } from '#rooms/foundation/systemlog/index.ts'
import { compress } from '../compress.ts'
import type { OtlpSource } from '../datasources/datasource.ts'
import { postTo } from './sending.ts'
import type { Batch, CollectorTarget } from './target.ts'

/** OpenTelemetry logs, over HTTP and as JSON: https://opentelemetry.io/docs/specs/otlp/#otlphttp */
export const otlpTarget = (source: OtlpSource, outgoing: Outgoing, signal: AbortSignal): CollectorTarget => ({
  isArchive: false,
  async deliver(batch) {
    const body = await compress(batch.format, Buffer.from(JSON.stringify(logsOf(batch))))
    const reply = await postTo(outgoing, source, {
      body,
      headers: { 'content-type': 'application/json', 'content-encoding': batch.format },
      signal,
    })
    return { note: rejected(reply.body), bytes: body.length }
  },
  close() {},
})

type AnyValue = { [kind: string]: unknown }

/** As the protocol encodes values: 64-bit numbers as strings, maps as lists of keys and values. */
function anyValue(value: unknown): AnyValue {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } }
  if (typeof value === 'object' && value !== null) return { kvlistValue: { values: attributesOf(value) } }
  return {}
}

const attributesOf = (of: object): object[] =>
  Object.entries(of)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({ key, value: anyValue(value) }))

/** OCSF severities, in the order of severity_id: informational, low, medium, high, critical, fatal. */
const severities: Record<number, readonly [number, string]> = {
  1: [9, 'INFO'],
  2: [10, 'INFO2'],
  3: [13, 'WARN'],
  4: [17, 'ERROR'],
  5: [18, 'ERROR2'],
  6: [21, 'FATAL'],
}

const nanos = (at: Date): string => `${at.getTime()}000000`

function recordOf({ event, eventId, occurredAt, sealNumber, position }: SealedRow, observedAt: Date): object {
  const ocsf = JSON.parse(event) as { severity_id?: number; class_uid?: number; type_uid?: number; message?: string }
  const [severityNumber, severityText] = severities[ocsf.severity_id ?? 1] ?? [9, 'INFO']
  return {
    timeUnixNano: nanos(occurredAt),
    // Not the time of sending: a retried batch is identical.
    observedTimeUnixNano: nanos(observedAt),
    severityNumber,
    severityText,
    body: anyValue(ocsf),
    attributes: attributesOf({
      // Lets a receiver drop duplicates.
      'log.record.uid': eventId,
      'ocsf.class_uid': ocsf.class_uid,
      'ocsf.type_uid': ocsf.type_uid,
      'bailiwick.message': ocsf.message,
      'bailiwick.chain.link': sealNumber,
      'bailiwick.chain.position': position,
    }),
  }
}

const logsOf = ({ tenant, rows, sealedAt }: Batch): object => ({
  resourceLogs: [
    {
      resource: {
        attributes: attributesOf({
          'service.name': 'bailiwick',
          'service.version': version,
          'bailiwick.tenant.id': tenant.publicId,
          'bailiwick.tenant.domain': tenant.domain,
        }),
      },
      scopeLogs: [{ scope: { name: 'bailiwick.systemlog' }, logRecords: rows.map((row) => recordOf(row, sealedAt)) }],
    },
  ],
})

const saidMax = 300

/** What a collector rejected. The protocol says not to send it again, so it is reported. */
function rejected(body: Buffer): string {
  try {
    const { partialSuccess } = JSON.parse(body.toString()) as {
      partialSuccess?: { rejectedLogRecords?: string | number; errorMessage?: string }
    }
    const count = Number(partialSuccess?.rejectedLogRecords ?? 0)
    const said = (partialSuccess?.errorMessage ?? '').slice(0, saidMax)
    if (count > 0) return `The collector rejected ${count} events${said === '' ? '' : `: ${said}`}`
    return said === '' ? '' : `The collector said: ${said}`
  } catch {
    return ''
  }
}
