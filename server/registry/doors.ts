import type { Door } from '#kernel/doors.ts'
import { scimDoor } from '#rooms/records/directories/index.ts'

/** Every protocol in addition to the API. */
export const doors: readonly Door[] = [scimDoor]
