import type { Call } from '#kernel/routes.ts'
import type { World } from '#kernel/world.ts'

/** What tasks are carried on with: a request, a job, or the clock. */
export type Doing = World & Pick<Call, 'tenant'>
