import { flag, message, oneOf, text, timestamp } from '#kernel/wire.ts'
import { passkeyNameLengthMax } from './decide.ts'
import type { Session } from './session.ts'

export const SessionMessage = message(
  'auth.v1.Session',
  {
    id: text(),
    method: oneOf(['', 'link', 'passkey', 'oidc']),
    sourceAddress: text(),
    userAgent: text(),
    createdAt: timestamp(),
    lastSeenAt: timestamp(),
    expiresAt: timestamp(),
    isCurrent: flag(),
  },
  'A browser in which someone is signed in to the console, how, and since when. It ends 12 hours after it was last seen, and at expiresAt in any case.',
)

export const sessionView = (session: Session, currentId: string) => ({
  ...session,
  isCurrent: session.id === currentId,
})

export const PasskeyMessage = message(
  'auth.v1.Passkey',
  {
    id: text(),
    displayName: text({ maxLength: passkeyNameLengthMax }),
    createdAt: timestamp(),
    lastUsedAt: timestamp(),
    isBackedUp: flag(),
  },
  'A passkey. One that is backed up is kept by its maker on several devices.',
)
