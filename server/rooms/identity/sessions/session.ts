import type { SignInMethod } from '#rooms/foundation/systemlog/index.ts'

/** Why a session ended, as far as its owner is informed. */
export type EndedWhy = 'COOKIE_REUSED' | 'COOKIE_NOT_REPLACED' | 'RECORD_SET_BACK' | 'ENDED_BY_ADMINISTRATOR'

export type Session = {
  id: string
  userId: string
  method: SignInMethod
  sourceAddress: string
  userAgent: string
  createdAt: Date
  lastSeenAt: Date
  /** When it ends, however much it is used. */
  expiresAt: Date
  /** It ends after this time of inactivity. */
  idleSeconds: number
  /** How long after signing in its owner may do what needs a recent sign-in. */
  freshSeconds: number
}

/** Which cookie of a session: see `standingOf`. */
export type CookieNumber = { generation: number; branch: number }

/** A session with the state of its cookie. */
export type KeptSession = Session &
  CookieNumber & {
    rotatedAt: Date
    previousBranch: number
    previousUntil: Date | null
    offers: number
    offeredAt: Date | null
    endedAt: Date | null
    endedWhy: EndedWhy | null
  }
