import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { MessageOf } from '#kernel/wire.ts'
import { check, getPolicy } from './actions.ts'
import { changesOf, termsOf, typeOf } from './asked.ts'
import type { Chosen } from './resolve.ts'
import type { PolicyMessage } from './shapes.ts'

/** A proposed policy, or a proposed change of one, with every refusal that saving it would meet. Nothing is saved. */
export async function checkDraft(
  tx: Tx,
  call: Call,
  policyId: string,
  asked: MessageOf<(typeof PolicyMessage)['fields']>,
): Promise<Chosen> {
  const before = policyId === '' ? null : await getPolicy(tx, call, policyId)
  const policyType = before?.policyType ?? typeOf(asked.policyType)
  const id = before?.id ?? call.newId()
  const wanted = before ? { ...before, ...changesOf(before, asked, '') } : termsOf(asked)
  const { tidy } = await check(tx, call, { id, type: policyType, before }, wanted, 'policy.')
  return { ...tidy, id, policyType }
}
