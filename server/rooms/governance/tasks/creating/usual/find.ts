import type { SuggestDuration } from '#rooms/governance/terms/index.ts'
import { suggestedOf } from './decide.ts'
import { listGranted } from './store.ts'

/** For the settings of a request: with which duration it begins. */
export const suggestDuration: SuggestDuration = async (call, ref, maxSeconds) =>
  suggestedOf(await listGranted(call.db, call.tenant.id, ref, call.actor.userId), maxSeconds)
