import type { formatVersion } from '../../manifest.ts'

type Named = { id: string; name: string }

/** How it is known that the app has a grant, or that it is not. */
export const confirmations = [
  'app reported',
  'connector confirmed',
  'person said',
  'webhook confirmed',
  'enforced here',
  'sent',
  'failed',
  'file said',
  'recorded only',
] as const
export type Confirmation = (typeof confirmations)[number]

/** Why an account has an entitlement: one of the sources of a grant. */
export type Source = {
  /** manual, import, rule, request, profile or directory. */
  source: string
  /** Since when it is held because of this, according to the app where that is known. */
  since: string
  /** When it was recorded here. */
  recordedAt: string
  expiresAt: string | null
  /** What was entered as the reason. */
  reason: string
  /** Who or what granted it; null if that is not known, or the reader may not know it. */
  by: { kind: string; id: string; name: string } | null
  /** Of a rule: the version that applied. */
  rule: { version: number; expression: string } | null
  /** The request, if the reader may see it: one of `requests`. */
  requestId: string
  /** The events of the log that recorded it: of those in `events.jsonl`. */
  eventIds: string[]
}

export type Grant = {
  app: Named
  entitlement: Named
  /** The user of the account; null if it has none, or the reader may not know them. */
  user: (Named & { email: string; status: string }) | null
  account: Named & { username: string; email: string }
  since: string
  expiresAt: string | null
  sources: Source[]
  inApp: {
    is: Confirmation
    words: string
    at: string | null
    /** The connector, the person or the webhook. */
    by: Named | null
    eventIds: string[]
  }
  /** Who carries out changes of this entitlement, as judged when the pack was created. */
  enforcement: string
}

/** What was decided about a request. */
export type Request = {
  id: string
  number: number
  name: string
  /** What the requester wrote. */
  description: string
  createdAt: string
  createdBy: Named
  outcome: string
  outcomeAt: string | null
  decisions: {
    at: string
    /** Null for Bailiwick itself. */
    by: Named | null
    what: string
    comment: string
    /** Whether it still counts: it was neither undone nor followed by a restart. */
    counts: boolean
  }[]
  eventIds: string[]
}

/** The data of an evidence pack about access: the CSV and the PDF are written from it. */
export type AccessData = {
  version: typeof formatVersion
  kind: 'access'
  id: string
  tenant: { id: string; domain: string }
  subject: { kind: 'entitlement' | 'user' | 'app' | 'list'; words: string; filters: { [name: string]: unknown } }
  asOf: string
  /** Whether `asOf` is when the pack was created: then more is known. */
  isNow: boolean
  createdAt: string
  createdBy: Named & { email: string }
  program: string
  /** What is not in the pack, and why. */
  notes: string[]
  grants: Grant[]
  requests: Request[]
}
