import { described, flag, list, message, text, timestamp } from '#kernel/wire.ts'

export const DeviceRequestMessage = message(
  'auth.v1.DeviceRequest',
  {
    userCode: text(),
    clientId: described(text(), 'The name that the program reports. It is not verified.'),
    clientName: described(text(), 'The name of a known client id; otherwise the client id.'),
    scopedRoles: described(
      list(text()),
      'The ids of the roles that it asks to be limited to; empty for full permissions.',
    ),
    sourceAddress: described(text(), 'The address that the request came from.'),
    isFromYourNetwork: described(flag(), 'Whether that is also the address of the caller.'),
    userAgent: text(),
    createdAt: timestamp(),
    expiresAt: timestamp(),
  },
  'A program that asks to be authorized as the user who approves it (RFC 8628).',
)

export const DeviceMessage = message(
  'auth.v1.Device',
  {
    id: text(),
    userId: text(),
    displayName: text(),
    clientId: described(text(), 'The name that the program reports. It is not verified.'),
    scopedRoles: described(list(text()), 'The ids of the roles that it is limited to; empty for full permissions.'),
    sourceAddress: described(text(), 'The address that the request came from.'),
    userAgent: text(),
    createdAt: timestamp(),
    expiresAt: timestamp(),
    lastUsedAt: timestamp(),
  },
  'A program that a user authorized in the console (RFC 8628). API credentials that it created end with it.',
)
