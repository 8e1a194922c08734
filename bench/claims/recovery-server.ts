import { recoveryClaim } from '../recovery.ts'

export const claim = recoveryClaim({ what: 'the server', secondsMax: 5 })
