import type { DoorRequest } from '#kernel/doors.ts'
import type { Call } from '#kernel/routes.ts'
import type { Directory } from '../directory.ts'

/** A call by a directory. */
export type ScimCall = { call: Call; directory: Directory }

/** Whether the caller accepts a version: null accepts any. */
export type Precondition = ((version: number) => boolean) | null

/** What serving the resources of one type needs, and `base`, the address of the directory. */
export type Serving = { scim: ScimCall; base: string; request: DoorRequest; rest: readonly string[] }
