import type { FieldViolation } from '#kernel/refusals.ts'
import { isPlainAddress, isSingleLine, singleLineHint } from '#kernel/single-line.ts'

/** What a person who is added manually is described by. */
export type NewPerson = {
  displayName: string
  email: string
  jobTitle: string
  department: string
  employeeId: string
  employmentType: string
  employmentStatus: string
  managerId: string
}

// Good enough to catch a typing error; only a message sent to it proves an address.
const emailForm = /^[^\s@]{1,64}@[^\s@]{1,255}$/

export const trimmed = (wanted: NewPerson): NewPerson =>
  Object.fromEntries(Object.entries(wanted).map(([field, value]) => [field, value.trim()])) as NewPerson

export function personProblems(person: NewPerson): FieldViolation[] {
  const { displayName, email } = person
  const problems: FieldViolation[] = []
  if (displayName === '') problems.push({ field: 'displayName', description: 'must not be empty' })
  if (!emailForm.test(email) || !isPlainAddress(email))
    problems.push({ field: 'email', description: 'is not an email address' })
  for (const [field, value] of Object.entries(person))
    if (field !== 'email' && !isSingleLine(value)) problems.push({ field, description: singleLineHint })
  return problems
}
