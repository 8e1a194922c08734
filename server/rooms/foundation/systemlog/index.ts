export { alerts } from './alerts.ts'
export { sealMac } from './chain/link-mac.ts'
export { chainEnds, checkSealed, learnChainEnds, sealAll, sealTenant, sealUnheld } from './chain/seal.ts'
export { denials, recordDenial } from './deny.ts'
export {
  type Activity,
  type Attempt,
  alarm,
  alert,
  authentication,
  type Cause,
  type CauseBy,
  causeOf,
  change,
  operatorCause,
  operatorName,
  programActor,
  provenCause,
  serviceCause,
  withBefore,
} from './events/event.ts'
export type { ForgedRow, MetBy } from './events/forged.ts'
export { type SignInMethod, signIn, signOut } from './events/sign-in.ts'
export { issuedEvents } from './events/text.ts'
export { reportForged } from './forged.ts'
export { keepHeads, keptTenantIds } from './kept/kept.ts'
export {
  acceptRestored,
  approvalMac,
  isFromBeforeRestore,
  isSetAside,
  keepRestored,
  openKept,
  refreshFloor,
  refuseDatabaseBehind,
} from './kept/restored.ts'
export { witnesses } from './kept/witness.ts'
export { logMetrics } from './metrics.ts'
export { findPlaceSince, readSealed, type SealedEvent } from './reading.ts'
export { grouped, record, recordChange } from './record.ts'
export { systemlogRoutes } from './routes.ts'
export { findHead, findSealBefore, findSeals, listSeals, type Seal } from './seals.ts'
export { archivedNote, findSeam, removeArchived } from './seam/seam.ts'
export type { Seam } from './seam/store.ts'
export type { NameThings } from './search/names.ts'
export {
  beginning,
  countAfter,
  eventMac,
  findEventText,
  findPlace,
  listEvents,
  listSealed,
  type Place,
  type SealedRow,
} from './store.ts'
export { keepVerification, verifying } from './verification/verify.ts'
export { type ArchiveWalk, type Finding, isHead, type ReadArchive } from './verify/verdict.ts'
export { verifyLog } from './verify/verify.ts'
