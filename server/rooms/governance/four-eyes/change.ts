import type { Call } from '#kernel/routes.ts'
import type { Seals } from '#kernel/seals.ts'
import { canonicalJson, fingerprintOf } from '#rooms/foundation/plans/index.ts'

type Json = { readonly [name: string]: unknown }

/** One thing that a change would do: an event of the system log, reduced to what happens, without the time. */
export type Effect = { message: string; activity: string; resources: readonly unknown[] }

/** A request that waits for approval. */
export type Change = {
  taskId: string
  kind: string
  operation: string
  path: { readonly [name: string]: string }
  /** As stored: sealed. Null if the operation has no body. */
  body: unknown
  plan: readonly Effect[]
  fingerprint: Buffer
  authorId: string
  clientId: string
  sessionId: string
  sourceAddress: string
  requestId: string
  createdAt: Date
  carriedOutAt: Date | null
}

/** The request may contain secrets, such as those in addresses of webhooks: it is stored sealed. */
export const sealBody = (seals: Seals, tenantId: number, taskId: string, body: unknown): { sealed: string } => ({
  sealed: seals.seal('change', String(tenantId), Buffer.from(JSON.stringify(body)), taskId).toString('base64'),
})

/** Also reads bodies that were stored before bodies were sealed. */
export function openBody(seals: Seals, tenantId: number, { taskId, body }: Pick<Change, 'taskId' | 'body'>): unknown {
  const { sealed } = (body ?? {}) as { sealed?: unknown }
  if (typeof sealed !== 'string') return body
  const plain = seals.open('change', String(tenantId), Buffer.from(sealed, 'base64'), taskId)
  if (!plain) throw new Error(`the change of task ${taskId} does not open`)
  return JSON.parse(plain.toString()) as unknown
}

/** Over everything that decides what is carried out, and in whose name. */
export function changeMac(seals: Seals, tenantId: number, change: Change): Buffer {
  const { taskId, kind, operation, path, body, plan, fingerprint, authorId, clientId, sessionId, sourceAddress } =
    change
  return seals.mac(
    'change',
    ...[
      String(tenantId),
      taskId,
      kind,
      operation,
      canonicalJson(path),
      canonicalJson(body ?? null),
      canonicalJson(plan),
    ],
    ...[fingerprint.toString('hex'), authorId, clientId, sessionId, sourceAddress],
    String(change.createdAt.getTime()),
  )
}

/** The effects of a change, from its events of the system log. */
export const effectsOf = (events: readonly Json[]): Effect[] =>
  events.map((event) => ({
    message: String(event['message']),
    activity: String(event['activity_name']),
    resources: (event['resources'] ?? []) as unknown[],
  }))

/**
 * Identifies a plan. New ids and the current time differ from one rehearsal to the next: they are replaced by placeholders.
 * The previous state is part of the effects or of `about`, so that another state gives another plan.
 */
export function fingerprintOfChange(
  call: Pick<Call, 'seals' | 'tenant'>,
  about: string,
  effects: readonly Effect[],
  { madeIds, at }: { madeIds: ReadonlySet<string>; at: Date },
): string {
  const places = new Map<string, string>()
  const text = canonicalJson(effects.map((effect) => ({ ...effect, resources: effect.resources.map(withoutRow) })))
    .replaceAll(at.toISOString(), '#now')
    .replaceAll(/[0-9A-Za-z]{27}/g, (id) => {
      if (!madeIds.has(id)) return id
      const place = places.get(id) ?? `#${places.size}`
      places.set(id, place)
      return place
    })
  return fingerprintOf(call, 'change', [about, text])
}

/** The row of an owner gets its id in the database: such rows are distinguished by the owner. */
const withoutRow = (resource: unknown): unknown => {
  const { uid, ...rest } = resource as { type?: string; uid?: string }
  return rest.type === 'owner' ? rest : { ...rest, uid }
}

const linesMax = 50
const valueMax = 2_000

/** The plan in words, for the description of the task. */
export function describe(effects: readonly Effect[]): string {
  const lines = effects.flatMap(({ message, resources }) => [
    message,
    ...resources.flatMap((resource) => {
      const { type, uid, name, data } = resource as { type?: string; uid?: string; name?: string; data?: unknown }
      const what = [type, name, uid && `(${uid})`].filter(Boolean).join(' ')
      return [`- ${what}${data === undefined ? '' : `: ${JSON.stringify(data).slice(0, valueMax)}`}`]
    }),
  ])
  const rest = lines.length - linesMax
  return [
    ...lines.slice(0, linesMax),
    ...(rest > 0 ? [`and ${rest} more lines: see the plan of the change`] : []),
  ].join('\n')
}
