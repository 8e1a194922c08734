import type { DoorRequest } from '#kernel/doors.ts'
import type { Call } from '#kernel/routes.ts'
import type { Directory } from '../directory.ts'

/** A call of a directory's. */
export type ScimCall = { call: Call; directory: Directory }

/** Whether a version is one that the caller accepts: null accepts any. */
export type Precondition = ((version: number) => boolean) | null

/** What serves the resources of one type, and `base`, the address of the directory. */
export type Serving = { scim: ScimCall; base: string; request: DoorRequest; rest: readonly string[] }
