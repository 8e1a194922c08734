import type { RequestTerms } from '../request-terms.ts'

/** The settings for requests of an app's entitlements that do not set their own. */
export type DefaultTerms = RequestTerms & {
  defaultsEnabled: boolean
  /** The resource types of the entitlements; empty for all entitlements of the app. */
  resourceTypeIds: readonly string[]
  /** The longest duration in seconds; null if it is not set. */
  durationGrant: number | null
  /** Explicitly set to no maximum duration. */
  isDurationUnset: boolean
}
export type RequestDefaults = DefaultTerms & { appId: string; createdAt: Date; updatedAt: Date }
