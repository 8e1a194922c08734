import { hook } from '#kernel/hook.ts'
import type { Fragment, Tx } from '#kernel/sql.ts'

/** The deleted entitlements of an app, as an operand of IN; or the whole app. */
export type GoneInApp = { appId: string; entitlements: Fragment; isApp: boolean }

/** Deletes what the objects have for requests, which would keep their form and policies from being deleted. */
export const requestTermsGone = hook<[tx: Tx, tenantId: number, gone: GoneInApp]>('requestTermsGone')

/** Ends the access to the deleted objects; returns how much. */
export const accessGone = hook<
  [tx: Tx, tenantId: number, gone: GoneInApp, ending: Ending],
  { accounts?: number; grants?: number }
>('accessGone')

type Ending = { at: Date; by: string }
