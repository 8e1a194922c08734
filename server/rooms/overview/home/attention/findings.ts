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

/** A thing by its id, and the app that it belongs to. */
export type Thing = { type: ExampleType; id: string; appId: string }

/** One thing of a kind. `about` is a text for people: where it is, or who owns it. */
export type Example = { appId: string; id: string; name: string; about: string }

/** What was found of a kind: how many, counted up to `countedMax`, and the first few. */
export type Found = { count: number; examples: Example[] }

/** How many are counted; with more of a kind, the list is needed rather than the number. */
export const countedMax = 1000
export const shownMax = 3
