import { described, duration, flag, list, message, oneOf, text, timestamp } from '#kernel/wire.ts'
import { passkeyNameLengthMax } from './decide.ts'
import { type SignInPolicy, signInMethods } from './policy/policy.ts'
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
    idleTime: described(duration(), 'It ends after this time of inactivity.'),
    freshUntil: described(timestamp(), 'Until then, its user may call operations that require a recent sign-in.'),
  },
  'A browser in which someone is signed in to the console, how, and since when. It ends after idleTime of inactivity, and at expiresAt at the latest.',
)

export const sessionView = (session: Session, currentId: string) => ({
  ...session,
  isCurrent: session.id === currentId,
  idleTime: session.idleSeconds,
  freshUntil: new Date(session.createdAt.getTime() + session.freshSeconds * 1000),
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
  'A passkey. One that is backed up is synced to several devices.',
)

export const IdentityMessage = message(
  'auth.v1.Identity',
  { id: text(), issuer: text(), subject: text(), email: text(), linkedAt: timestamp() },
  'The identity of a user at an OpenID Connect provider. They are identified by issuer and subject; email is the address that the provider had verified when it was linked.',
)

export const PolicyMessage = message(
  'auth.v1.SignInPolicy',
  {
    methods: described(list(oneOf(signInMethods)), 'How people may sign in.'),
    idleTime: described(duration(), 'A session ends after this time of inactivity.'),
    sessionTime: described(duration(), 'A session ends after this time at the latest.'),
    freshTime: described(
      duration(),
      'How long after a sign-in users may call operations that require a recent sign-in.',
    ),
  },
  'How people sign in to the console. The times apply to new sessions.',
)

export const policyView = (policy: SignInPolicy) => ({
  methods: policy.methods,
  idleTime: policy.idleSeconds,
  sessionTime: policy.sessionSeconds,
  freshTime: policy.freshSeconds,
})
