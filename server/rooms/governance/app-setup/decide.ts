import type { FieldViolation } from '#kernel/refusals.ts'

export type WantedEntitlement = { displayName: string; description: string; memberIds: readonly string[] }
export type WantedApp = {
  displayName: string
  description: string
  ownerIds: readonly string[]
  /** Without a connector: changes are only recorded, and its owners are not asked. */
  isRecordsOnly: boolean
  entitlements: readonly WantedEntitlement[]
}

export const entitlementsMax = 50
/** Members of all entitlements together: each is a grant, all of them in one transaction. */
export const membersMax = 2_000

/** What is wrong with an app that is set up at once, apart from what each of its parts checks itself. */
export function setupProblems({ entitlements }: Pick<WantedApp, 'entitlements'>): FieldViolation[] {
  const problems: FieldViolation[] = []
  const names = new Set<string>()
  for (const [at, { displayName }] of entitlements.entries()) {
    const name = displayName.trim().toLowerCase()
    const field = `entitlements[${at}].displayName`
    if (name === '') problems.push({ field, description: 'must not be empty' })
    else if (names.has(name)) problems.push({ field, description: 'is the name of another entitlement of the app' })
    names.add(name)
  }
  const members = entitlements.reduce((sum, { memberIds }) => sum + memberIds.length, 0)
  if (members > membersMax)
    problems.push({ field: 'entitlements', description: `must have at most ${membersMax} members in all` })
  return problems
}
