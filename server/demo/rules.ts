import type { FoundingRule } from '#rooms/rules/automation/index.ts'
import type { Company } from './company.ts'

/** A few rules, each of another kind, that have something to do in the company and leave most of it as it is. */
export function rulesOf({ entitlements, users }: Company): FoundingRule[] {
  const refOf = (path: string) => {
    const found = entitlements.find(({ externalId }) => externalId === `larkfield:app:${path}`)
    if (!found) throw new Error(`the demo company has no entitlement ${path}`)
    return { appId: found.appId, id: found.id }
  }
  const seller = users.find(({ department, status }) => department === 'Sales' && status === 'ENABLED')
  return [
    {
      ref: refOf('wiki:space:sales:edit'),
      displayName: 'Sales writes its own pages',
      description: 'Everyone in Sales, except excluded people.',
      definition: { kind: 'cel', expression: 'subject.department == "Sales"' },
      excluded: seller ? [seller.id] : [],
    },
    {
      ref: refOf('wiki:space:company:edit'),
      displayName: 'Managers write the company pages',
      description: 'Members of the directory group of people managers.',
      definition: { kind: 'entitlements', refs: [refOf('directory:group:people-managers:member')] },
      excluded: [],
    },
    {
      ref: refOf('wiki:space:engineering:edit'),
      displayName: 'Engineers write the engineering pages',
      description: 'Employees in Engineering; neither contractors nor interns.',
      definition: {
        kind: 'basic',
        expression: 'subject.department == "Engineering" && subject.employmentType == "employee"',
      },
      excluded: [],
    },
  ]
}
