import type { Plain } from '#authority/may.ts'
export type Ref = { appId: string; id: string }

/** What a caller sees: everything, or what they own. */
export type Scope = 'all' | { apps: readonly string[]; entitlements: readonly Ref[]; connectors: readonly Ref[] }

/** By the permission that the same things require elsewhere; null if the caller sees nothing. */
export type ScopeOf = (action: Plain) => Scope | null
