import type { Call } from '#kernel/routes.ts'
import type { World } from '#kernel/world.ts'

/** What tasks are carried on with: a request, or a job. */
export type Doing = World & Pick<Call, 'tenant'>
