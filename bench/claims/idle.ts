import { idleClaim } from '../idle.ts'

export const claim = idleClaim(
  'A server with the demo company that nobody uses takes at most 0.5% of one core, with its PostgreSQL, and two transactions per ' +
    'second: the floor is 200 such servers to a core.',
  1,
)
