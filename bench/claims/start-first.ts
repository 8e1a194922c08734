import { startClaim } from '../starts.ts'

export const claim = startClaim({ of: 'first', in: 'wall time', secondsMax: 5 })
