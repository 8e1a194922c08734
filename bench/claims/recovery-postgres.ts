import { recoveryClaim } from '../recovery.ts'

export const claim = recoveryClaim({ what: 'PostgreSQL', secondsMax: 5 })
