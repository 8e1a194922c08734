import type { Call } from '#kernel/routes.ts'
import { denied, mayEverywhere, type Plain } from './may.ts'
import type { Action } from './rules.ts'

declare const proven: unique symbol

/**
 * A call that is proof that its caller may do this. Functions that write what a caller asks for take one, so a way to them on which
 * nobody asked the rules does not compile. Where a function names several actions, proof of any of them will do.
 */
export type May<A extends Action> = Call & { readonly [proven]: A }

/** Proof for something that a request does besides what its route is for. Refuses callers who may not do it everywhere. */
export function authorise<A extends Plain>(call: Call, action: A, purpose = ''): May<A> {
  if (!mayEverywhere(call.actor, action)) throw denied(action, purpose)
  return call as May<A>
}

/** For what the server does of itself, or for someone whom something else than a rule permits it. Each use says what. */
export const asService = <A extends Action>(call: Call, _action: A, _because: string): May<A> => call as May<A>
