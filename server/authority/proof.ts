import type { Call } from '#kernel/routes.ts'
import { denied, mayEverywhere, type Plain } from './may.ts'
import type { Action } from './rules.ts'

declare const proven: unique symbol

/**
 * A call that is proof that its caller may do this. Functions that write what a caller requests take one, so a way to
 * them without a check of the rules does not compile. If a function names several actions, proof of any of them is
 * enough.
 */
export type May<A extends Action> = Call & { readonly [proven]: A }

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
