import type { RequestTerms } from '../request-terms.ts'

/** What applies to requests of an app's entitlements that say nothing themselves. */
export type DefaultTerms = RequestTerms & {
  defaultsEnabled: boolean
  /** Of which resource types the entitlements are; empty for all entitlements of the app. */
  resourceTypeIds: readonly string[]
  /** The longest duration in seconds; null where none was said. */
  durationGrant: number | null
  /** That there is none was said. */
  isDurationUnset: boolean
}
export type RequestDefaults = DefaultTerms & { appId: string; createdAt: Date; updatedAt: Date }
