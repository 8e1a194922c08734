import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { checkCondition } from './checking/steps.ts'
import { askerOf, prepareCondition } from './trusts-actions.ts'

type Tested = { matched: boolean; error: string; expression: string }

/** Whether a condition is true for some claims; mistakes in either are part of the response. */
export async function testCondition(
  call: Call,
  { expression, claimsJson }: { expression: string; claimsJson: string },
): Promise<Tested> {
  const wrong = (error: string): Tested => ({ matched: false, error, expression })
  if (!isObject(claimsJson)) return wrong('claimsJson is not a JSON object')
  try {
    await prepareCondition(call, expression)
  } catch (error) {
    const isWrong = error instanceof Refusal && error.reason === 'EXPRESSION_INVALID'
    if (!isWrong) throw error
    return wrong(error.message.replace(/^conditionExpression: /, ''))
  }
  const { isPassed, actual, detail } = await checkCondition(call, askerOf(call), expression, claimsJson)
  return { matched: isPassed, error: actual === 'error' ? detail : '', expression }
}

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
