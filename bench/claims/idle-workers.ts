import { idleClaim } from '../idle.ts'

export const claim = idleClaim(
  'The same with two workers, which are four processes: at most 0.5% of one core for all of them and PostgreSQL, and two ' +
    'transactions per second.',
  '--workers',
  '2',
)
