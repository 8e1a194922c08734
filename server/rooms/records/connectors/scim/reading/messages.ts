import type { OutgoingRules } from '#kernel/outgoing/addresses.ts'
import type { ScimAccess } from '../../scim-connection/connection.ts'
import type { Service } from '../protocol/capabilities.ts'
import type { ScimLimits } from '../protocol/client.ts'
import type { ReadingLimits } from './read.ts'

/** The input of the thread. */
export type ToThread = {
  access: ScimAccess
  rules: OutgoingRules
  /** Where it writes the file, and a place next to it for its database. */
  file: string
  database: string
  syncId: string
  at: Date
  limits: ReadingLimits
  clientLimits: ScimLimits
}

export type FromThread =
  /** The app has responded. */
  { is: 'answered' } | { is: 'done'; service: Service } | { is: 'failed'; message: string; retryAfterMs: number | null }
