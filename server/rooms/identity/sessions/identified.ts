import type { SignInMethod } from '#rooms/foundation/systemlog/index.ts'
import type { Person } from './person.ts'

declare const verified: unique symbol

/** Someone whose identity was verified just now: what a session demands, since no rule lets a stranger in. */
export type Identified = { readonly user: Person; readonly method: SignInMethod; readonly [verified]: true }

/** Only for what verifies: links, invitations, passkeys, and the answers of the provider. `scripts/check-directions.ts` refuses others. */
export const identified = (user: Person, method: SignInMethod): Identified => ({ user, method }) as Identified
