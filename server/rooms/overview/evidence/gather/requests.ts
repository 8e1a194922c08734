import type { Call } from '#kernel/routes.ts'
import type { Request } from '#rooms/foundation/evidence/index.ts'
import { findToldRequest, type ToldRequest } from '#rooms/governance/tasks/index.ts'
import type { Row } from './rows.ts'

/** How many requests a pack has at most: of others it says only that access was requested. */
export const requestsMax = 2_000

/** What became of the requests by which access is held, by id. */
export async function readRequests(call: Call, rows: readonly Row[]): Promise<Map<string, ToldRequest>> {
  const ids = new Set(
    rows.flatMap((row) => row.rows.flatMap(({ source, grantedBy }) => (source === 'request' ? [grantedBy] : []))),
  )
  const told = new Map<string, ToldRequest>()
  for (const id of [...ids].slice(0, requestsMax)) {
    const request = await findToldRequest(call, id)
    if (request) told.set(id, request)
    call.signal.throwIfAborted()
  }
  return told
}

const named = ({ id, name }: { id: string; name: string }) => ({ id, name })

/** A request that its reader sees, as the data of a pack has it. */
export function requestOf({ id, createdAt, seen }: ToldRequest): Request | null {
  if (!seen) return null
  return {
    id,
    number: seen.number,
    name: seen.displayName,
    description: seen.description,
    createdAt: createdAt.toISOString(),
    createdBy: named(seen.createdBy),
    outcome: seen.outcome ?? 'open',
    outcomeAt: seen.outcomeAt?.toISOString() ?? null,
    decisions: seen.decisions.map(({ at, by, what, comment, counts }) => ({
      at: at.toISOString(),
      by: by && named(by),
      what,
      comment,
      counts,
    })),
    eventIds: [],
  }
}
