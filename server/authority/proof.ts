import type { Call, Tenancy } from '#kernel/routes.ts'
import { denied, mayEverywhere, type Plain } from './may.ts'
import type { Action } from './rules.ts'

declare const proven: unique symbol

/** Who acts without a call, so that no rule can let them in. Each is made in one place, where their cause is named. */
export type Authority = 'operator' | 'service' | 'connector' | 'task machine'

/**
 * A tenant, and proof of who acts in it: the caller of a route with this rule, or an authority that is not a caller.
 * Functions take it that callers share with operators, imports and jobs: calls and causes (`CauseBy`) contain it.
 */
export type By<A extends Action | Authority> = { readonly tenant: Tenancy; readonly [proven]: A }

/**
 * A call that is proof that its caller may do this. Functions that write what a caller requests take one, so a way to
 * them without a check of the rules does not compile. If a function names several actions, proof of any of them is
 * enough.
 */
export type May<A extends Action> = Call & By<A>

/**
 * Proof for something that a request does in addition to the purpose of its route. Refuses callers who may not do it
 * everywhere.
 */
export function authorise<A extends Plain>(call: Call, action: A, purpose = ''): May<A> {
  if (!mayEverywhere(call.actor, action)) throw denied(action, purpose)
  return call as May<A>
}

/**
 * For what the server does on its own, or for someone who is permitted by something other than a rule. Each use says
 * what.
 */
export const asService = <A extends Action>(call: Call, _action: A, _because: string): May<A> => call as May<A>
