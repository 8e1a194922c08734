import type { OutgoingRules } from '#kernel/outgoing/addresses.ts'
import { urlProblem } from '#kernel/outgoing/send.ts'
import type { FieldViolation } from '#kernel/refusals.ts'

const endpoints = /\/(Users|Groups|ServiceProviderConfig|Schemas|ResourceTypes)$/i

/** The address under which an app has /Users and /Groups, in the form in which it is stored; or what is wrong with it. */
export function readBaseUrl(given: string, rules: OutgoingRules, field: string): string | FieldViolation {
  const problem = urlProblem(given.trim(), rules)
  if (problem !== null) return { field, description: problem }
  const url = new URL(given.trim())
  if (url.search !== '' || url.hash !== '') return { field, description: 'must have neither a query nor a fragment' }
  const path = url.pathname.replace(/\/+$/, '').replace(endpoints, '').replace(/\/+$/, '')
  return `${url.origin}${path}`
}

const tokenLengthMax = 8_000

/** A bearer token (RFC 6750 section 2.1), without the word before it; or what is wrong with it. */
export function readToken(given: string, field: string): string | FieldViolation {
  const token = given.trim().replace(/^Bearer +/i, '')
  if (token === '') return { field, description: 'must not be empty' }
  if (token.length > tokenLengthMax) return { field, description: `must have at most ${tokenLengthMax} characters` }
  return /^[\x21-\x7e]+$/.test(token) ? token : { field, description: 'must have no spaces and only ASCII characters' }
}
