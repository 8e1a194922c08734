import type { World } from '../world.ts'
import { type OutgoingRules, strictRules } from './addresses.ts'

/** Which hosts the server may call for a tenant. */
export const outgoingRulesOf = ({ settings }: Pick<World, 'settings'>, _tenantId: number): OutgoingRules =>
  settings.outgoing ?? strictRules
