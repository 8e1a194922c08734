export { alerts } from './alerts.ts'
export { denials, recordDenial } from './deny.ts'
export { type Attempt, alarm, alert, authentication, type Cause, causeOf, change, operatorCause } from './event.ts'
export type { ForgedRow, MetBy } from './event-forged.ts'
export { type SignInMethod, signIn, signOut } from './event-sign-in.ts'
export { reportForged } from './forged.ts'
export { HeadsFileUnusable, keepHeads, keptTenantIds } from './kept.ts'
export { logMetrics } from './metrics.ts'
export { grouped, record } from './record.ts'
export {
  acceptRestored,
  approvalMac,
  DatabaseBehind,
  isFromBeforeRestore,
  isSetAside,
  keepRestored,
  openKept,
  refreshFloor,
  refuseDatabaseBehind,
} from './restored.ts'
export { systemlogRoutes } from './routes.ts'
export { chainEnds, checkSealed, learnChainEnds, sealAll } from './seal.ts'
export { type Finding, isHead, verifyLog } from './verify.ts'
export { witnesses } from './witness.ts'
