import type { Plain } from '#authority/may.ts'
export type Ref = { appId: string; id: string }

/** Of what a caller is told: of everything, or of what they own. */
export type Scope = 'all' | { apps: readonly string[]; entitlements: readonly Ref[]; connectors: readonly Ref[] }

/** By the permission that the same needs elsewhere; null where the caller is told nothing. */
export type ScopeOf = (action: Plain) => Scope | null
