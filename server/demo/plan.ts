import type { NewAccount } from '#rooms/records/accounts/index.ts'
import type { NewEntitlement } from '#rooms/records/apps/index.ts'
import type { Person } from './people.ts'

/** The contents of an app and who has what in it, by department and title rather than by name. */
export type AppPlan = {
  key: string
  name: string
  description: string
  types: readonly TypePlan[]
  /** Accounts without a user: of machines, of former partners, of the vendor. */
  others: readonly OtherAccount[]
}

export type TypePlan = { key: string; name: string; levels: readonly Level[]; resources: readonly ResourcePlan[] }

export type ResourcePlan = {
  key: string
  name: string
  description?: string
  /** By the slug of the level. */
  holders: Record<string, Match | Some>
}

export type Level = { slug: string; name: string; purpose: NonNullable<NewEntitlement['purpose']> }

export type OtherAccount = {
  key: string
  name: string
  email: string
  type?: NewAccount['type']
  /** Entitlements as `repository:firmware-core:write`. */
  holds: readonly string[]
}

export type Match = (person: Person) => boolean
export type Some = { of: Match; share: number }

export const some = (share: number, of: Match): Some => ({ of, share })

export const assignment = (slug: string, name: string): Level => ({
  slug,
  name,
  purpose: 'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT',
})
export const permission = (slug: string, name: string): Level => ({
  slug,
  name,
  purpose: 'APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION',
})
export const ownership = (slug: string, name: string): Level => ({
  slug,
  name,
  purpose: 'APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP',
})

export const everyone: Match = () => true
export const nobody: Match = () => false
export const staff: Match = (person) => person.employmentType !== 'contractor'
export const contractors: Match = (person) => person.employmentType === 'contractor'
export const interns: Match = (person) => person.employmentType === 'intern'
export const managers: Match = (person) => person.rank !== 'member'
export const heads: Match = (person) => person.rank === 'head'

/** People of these departments, and those who came from one and kept what they had. */
export const inDepartment =
  (...names: string[]): Match =>
  (person) =>
    names.includes(person.department) || (person.formerDepartment !== null && names.includes(person.formerDepartment))
export const inTeam =
  (...names: string[]): Match =>
  (person) =>
    names.includes(person.team)
export const at =
  (...sites: string[]): Match =>
  (person) =>
    sites.includes(person.site)
export const titled =
  (title: RegExp): Match =>
  (person) =>
    title.test(person.jobTitle)
export const both =
  (...matches: Match[]): Match =>
  (person) =>
    matches.every((match) => match(person))
export const either =
  (...matches: Match[]): Match =>
  (person) =>
    matches.some((match) => match(person))

export const keyOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
