/** What an example of a kind can be. */
export const exampleTypes = [
  'account',
  'app',
  'clock',
  'connector',
  'credential',
  'directory',
  'entitlement',
  'export',
  'job',
  'notification',
  'principal',
  'subscription',
  'task',
  'user',
  'webhook',
] as const
export type ExampleType = (typeof exampleTypes)[number]

/** A thing by its id, and the app that it is of. */
export type Thing = { type: ExampleType; id: string; appId: string }

/** One thing of a kind. `about` says where it is, or whose, for people. */
export type Example = { appId: string; id: string; name: string; about: string }

/** What was found of a kind: how many, counted up to a number, and the first few. */
export type Found = { count: number; examples: Example[] }

/** So many are counted; whoever has more of a kind needs the list, not the number. */
export const countedMax = 1000
export const shownMax = 3
