import { hook } from '#kernel/hook.ts'
import type { Fragment, Tx } from '#kernel/sql.ts'

/** Entitlements of an app that are deleted, as what follows IN; or all of it. */
export type GoneInApp = { appId: string; entitlements: Fragment; isApp: boolean }

/** What the deletion ends of requests: they would keep their form and policies from being deleted. */
export const requestTermsGone = hook<[tx: Tx, tenantId: number, gone: GoneInApp]>('requestTermsGone')

/** What the deletion ends of access; told is how much. */
export const accessGone = hook<
  [tx: Tx, tenantId: number, gone: GoneInApp, ending: Ending],
  { accounts?: number; grants?: number }
>('accessGone')

type Ending = { at: Date; by: string }
