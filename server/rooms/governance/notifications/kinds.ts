/** The kinds of notification, by their published names. */
export const kinds = [
  'accessProvisioned',
  'approvalNeeded',
  'commentOnRequest',
  'completion',
  'connectorIssues',
  'expiringAccess',
  'provisioningRequest',
  'requestCreated',
  'reviews',
  'system',
  'taskReminders',
] as const
export type Kind = (typeof kinds)[number]

export const chatChannels = ['slack', 'teams'] as const
export type ChatChannel = (typeof chatChannels)[number]

export const channels = ['email', ...chatChannels] as const
export type Channel = (typeof channels)[number]

export const weekdays = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'] as const
