import type { FieldViolation } from '#kernel/refusals.ts'
import type { WebhookTerms } from './webhook.ts'

const daySeconds = 86_400
export const callbackSeconds = { least: daySeconds, most: 30 * daySeconds, usual: 8 * daySeconds }

/** What is wrong with a webhook. Names are not resolved: each connection checks whether its address is allowed. */
export function webhookProblems(
  { displayName, url, callbackTimeoutSeconds }: WebhookTerms,
  urlProblem: (url: string) => string | null,
): FieldViolation[] {
  const problems: FieldViolation[] = []
  if (displayName === '') problems.push({ field: 'displayName', description: 'must not be empty' })
  const wrong = url === '' ? 'must not be empty' : urlProblem(url)
  if (wrong !== null) problems.push({ field: 'url', description: wrong })
  const { least, most } = callbackSeconds
  if (callbackTimeoutSeconds !== null && (callbackTimeoutSeconds < least || callbackTimeoutSeconds > most))
    problems.push({
      field: 'callbackTimeout',
      description: `must be between ${least}s (1 day) and ${most}s (30 days)`,
    })
  return problems
}
