import type { Tenancy } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import type { Cause } from '#rooms/foundation/systemlog/index.ts'
import type { Outcome } from './decide.ts'

export type Following = {
  tx: Tx
  world: World
  tenant: Tenancy
  cause: Cause
}

/** The result of a whole run. `userIds` are those who were disabled or enabled. */
export type Followed = {
  outcomes: Outcome[]
  userIds: string[]
  isHeld: boolean
  tooMany: { disabled: number; active: number } | null
}
export const outcomeOf = (of: Partial<Outcome> & Pick<Outcome, 'outcome'>): Outcome => ({
  accountId: '',
  displayName: '',
  userId: '',
  by: '',
  fields: [],
  isDisabled: false,
  isEnabled: false,
  reason: '',
  userIds: [],
  ...of,
})
