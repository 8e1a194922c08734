import { startClaim } from '../starts.ts'

export const claim = startClaim({ of: 'later', in: 'wall time', secondsMax: 1 })
