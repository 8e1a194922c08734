import { idleClaim } from '../idle.ts'

export const claim = idleClaim(
  'The same with two workers, which are four processes with the primary and the spare. It is told, not demanded: they took 1.2% of ' +
    'one core, with PostgreSQL, beside other work on 2 cores.',
  null,
  '--workers',
  '2',
)
