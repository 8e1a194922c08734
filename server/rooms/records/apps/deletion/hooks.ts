import { hook } from '#kernel/hook.ts'
import type { Fragment, Tx } from '#kernel/sql.ts'

/** Entitlements of an app that are deleted, as what follows IN; or all of it. */
export type GoneTerms = { appId: string; entitlements: Fragment; isApp: boolean }

/** What the deletion ends of requests: they would keep their form and policies from being deleted. */
export const requestTermsGone = hook<[tx: Tx, tenantId: number, gone: GoneTerms]>('requestTermsGone')
