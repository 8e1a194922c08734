import { describe, expect, test } from 'vitest'
import { idMaker, idPattern } from '#kernel/ids.ts'
import { type Company, demoImport, foundLarkfield } from '#server/demo/company.ts'

const now = new Date('2026-03-01T12:00:00Z')
const counted = (): (() => string) => {
  let last = 0
  return () => String(++last).padStart(27, '0')
}
const company = foundLarkfield(now, counted())
const { users, apps, resourceTypes, resources, entitlements, accounts, grants } = company

const humans = users.filter(({ type }) => type === 'USER_TYPE_HUMAN')
const byId = <T extends { id: string }>(rows: readonly T[]): Map<string, T> => new Map(rows.map((row) => [row.id, row]))
const userById = byId(users)
const accountById = byId(accounts)
const entitlementById = byId(entitlements)
const holds = (userId: string, entitlement: RegExp): boolean =>
  grants.some(
    (grant) =>
      accountById.get(grant.accountId)?.userId === userId &&
      entitlement.test(entitlementById.get(grant.entitlementId)?.externalId ?? ''),
  )

describe('the demo company', () => {
  test('is the same every time', () => {
    expect(foundLarkfield(now, counted())).toEqual(company)
  })

  test('has the same people, access and oddities on any day and at any hour', () => {
    const told = (larkfield: Company) => ({
      accounts: larkfield.accounts,
      users: larkfield.users.map((user) => ({ ...user, profile: null })),
      grants: larkfield.grants.map((grant) => ({ ...grant, grantedAt: null, beganAt: null, expiresAt: null })),
    })
    for (const then of ['2026-03-01T00:00:00Z', '2026-03-01T23:59:59.999Z', '2031-12-31T08:00:01Z']) {
      expect(told(foundLarkfield(new Date(then), counted()))).toEqual(told(company))
    }
  })

  test('has 200 people, a dozen apps and what a company of that size has in them', () => {
    expect(humans).toHaveLength(200)
    expect(users.length - humans.length).toBeGreaterThan(2)
    expect(apps).toHaveLength(12)
    expect(entitlements.length).toBeGreaterThan(150)
    expect(entitlements.length).toBeLessThan(300)
    expect(accounts.length).toBeGreaterThan(1400)
    expect(grants.length).toBeGreaterThan(4500)
    expect(new Set(humans.map(({ employmentType }) => employmentType))).toEqual(
      new Set(['employee', 'contractor', 'intern']),
    )
  })

  test('takes its ids from the maker it is given, each once', () => {
    const ids = Object.values(foundLarkfield(now, idMaker(Date.now))).flatMap((rows) => rows.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.every((id) => idPattern.test(id))).toBe(true)
  })

  test('refers to nothing that is not there, and never to another app', () => {
    const appIds = new Set(apps.map(({ id }) => id))
    const typeKeys = new Set(resourceTypes.map(({ appId, id }) => `${appId} ${id}`))
    const resourceKeys = new Set(resources.map(({ appId, resourceTypeId, id }) => `${appId} ${resourceTypeId} ${id}`))
    expect(resourceTypes.every(({ appId }) => appIds.has(appId))).toBe(true)
    expect(resources.every(({ appId, resourceTypeId }) => typeKeys.has(`${appId} ${resourceTypeId}`))).toBe(true)
    expect(
      entitlements.every(({ appId, resource }) => resourceKeys.has(`${appId} ${resource?.typeId} ${resource?.id}`)),
    ).toBe(true)
    expect(accounts.every(({ appId }) => appIds.has(appId))).toBe(true)
    expect(accounts.every(({ userId }) => userId === undefined || userById.has(userId))).toBe(true)
    expect(
      grants.every(
        ({ appId, entitlementId, accountId }) =>
          entitlementById.get(entitlementId)?.appId === appId && accountById.get(accountId)?.appId === appId,
      ),
    ).toBe(true)
    const isGiver = (id = ''): boolean => userById.get(id)?.status === 'ENABLED'
    expect(
      grants.every(({ source, grantedBy }) => (source === 'manual' ? isGiver(grantedBy) : grantedBy === demoImport)),
    ).toBe(true)
  })

  test('gives every address and every external id once', () => {
    const emails = users.map(({ email }) => email.toLowerCase())
    expect(new Set(emails).size).toBe(emails.length)
    expect(emails.every((email) => /^[a-z.-]+@larkfield\.example$/.test(email))).toBe(true)
    for (const rows of [users, apps, resourceTypes, resources, entitlements, accounts]) {
      const externalIds = rows.map(({ externalId }) => externalId)
      expect(externalIds.every((externalId) => externalId?.startsWith('larkfield:'))).toBe(true)
      expect(new Set(externalIds).size).toBe(externalIds.length)
    }
    const employeeIds = humans.map(({ employeeId }) => employeeId)
    expect(new Set(employeeIds).size).toBe(humans.length)
  })

  test('is led by one person, to whom everybody answers in the end', () => {
    expect(humans.filter(({ managerId }) => managerId === undefined).map(({ jobTitle }) => jobTitle)).toEqual([
      'Chief Executive Officer',
    ])
    for (const user of users) {
      const above = new Set<string>()
      for (let next = user.managerId; next !== undefined; next = userById.get(next)?.managerId) {
        expect(above.has(next)).toBe(false)
        expect(userById.get(next)?.status).toBe('ENABLED')
        above.add(next)
      }
      expect(above.size).toBeLessThanOrEqual(3)
    }
  })

  test('matches accounts to people by address, has one account a person and app, and some that are nobody’s', () => {
    const matched = accounts.filter(({ userId }) => userId !== undefined)
    expect(matched.every(({ userId, email }) => userById.get(userId as string)?.email === email)).toBe(true)
    expect(new Set(matched.map(({ appId, userId }) => `${appId} ${userId}`)).size).toBe(matched.length)
    const orphans = accounts.filter(({ userId }) => userId === undefined)
    expect(orphans.length).toBeGreaterThan(10)
    const emails = new Set(users.map(({ email }) => email))
    // Machines whose account nobody made a service user for have an address of the company, but not a user's.
    expect(orphans.every(({ email }) => !emails.has(email as string))).toBe(true)
  })

  test('grants within the last two years, while the holder worked here, and each thing once', () => {
    const twoYearsAgo = new Date('2024-03-01T00:00:00Z')
    for (const { accountId, grantedAt, beganAt } of grants) {
      const { startDate, endDate } = userById.get(accountById.get(accountId)?.userId ?? '')?.profile ?? {}
      const [from, to] = [startDate ?? '2000-01-01', `${endDate ?? '2026-03-01'}T12:00:00Z`] as [string, string]
      expect(grantedAt?.getTime()).toBeGreaterThan(Math.max(twoYearsAgo.getTime(), Date.parse(from)))
      expect(grantedAt?.getTime()).toBeLessThanOrEqual(Date.parse(to))
      expect(beganAt).toEqual(grantedAt)
    }
    const expiries = grants.flatMap(({ expiresAt }) => expiresAt ?? [])
    expect(expiries.length).toBeGreaterThan(50)
    expect(expiries.every((expiry) => expiry > now)).toBe(true)
    const held = grants.map(({ entitlementId, accountId }) => `${entitlementId} ${accountId}`)
    expect(new Set(held).size).toBe(held.length)
  })

  test('has what an auditor looks for: leavers with access, an intern with admin, one person on both sides of a check', () => {
    const left = humans.filter(({ status }) => status === 'DISABLED')
    expect(left.length).toBeGreaterThan(5)
    expect(left.every(({ employmentStatus }) => employmentStatus === 'terminated')).toBe(true)
    const withAccess = left.filter(({ id }) => holds(id, /./))
    expect(withAccess.length).toBeGreaterThan(2)
    expect(withAccess.length).toBeLessThan(left.length)
    expect(withAccess.some(({ id }) => holds(id, /:repository:.*:write$/))).toBe(true)

    const interns = humans.filter(({ employmentType }) => employmentType === 'intern')
    expect(interns.some(({ id }) => holds(id, /:project:production:owner$/))).toBe(true)
    expect(
      humans.some(({ id }) => holds(id, /:payroll-clerk:assigned$/) && holds(id, /:payroll-approver:assigned$/)),
    ).toBe(true)
    expect(humans.some(({ profile }) => profile?.['formerDepartment'] !== undefined)).toBe(true)
  })

  test('grants nothing to an account that is switched off', () => {
    expect(accounts.some(({ status }) => status === 'STATUS_DISABLED')).toBe(true)
    expect(grants.every(({ accountId }) => accountById.get(accountId)?.status !== 'STATUS_DISABLED')).toBe(true)
  })
})
