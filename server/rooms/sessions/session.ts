import type { SignInMethod } from '#rooms/systemlog/index.ts'

export type Session = {
  id: string
  userId: string
  method: SignInMethod
  sourceAddress: string
  userAgent: string
  createdAt: Date
  rotatedAt: Date
  lastSeenAt: Date
  /** When it ends, however much it is used. */
  expiresAt: Date
}

/** A session with the hashes that its cookie is known by. */
export type KeptSession = Session & { secretSha256: Buffer; previousSha256: Buffer | null; previousUntil: Date | null }
