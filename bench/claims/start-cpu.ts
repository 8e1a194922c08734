import { startClaim } from '../starts.ts'

// 1.5 to 1.7 s were measured on two busy cores: 0.75 s to load the program, 0.25 s to mount its routes.
export const claim = startClaim({ of: 'later', in: 'CPU time', secondsMax: 2 })
