import { domain } from '../people.ts'
import { assignment, keyOf, type Level, type Match, type OtherAccount, type ResourcePlan } from '../plan.ts'

export const machine = (key: string, name: string, ...holds: string[]): OtherAccount => ({
  key,
  name,
  email: `${key}@${domain}`,
  type: 'APP_USER_TYPE_SERVICE_ACCOUNT',
  holds,
})
export const vendor = (key: string, name: string, ...holds: string[]): OtherAccount => ({
  key,
  name,
  email: '',
  type: 'APP_USER_TYPE_SYSTEM_ACCOUNT',
  holds,
})
/** Someone of whom the company has no record, or no longer has one. */
export const stranger = (key: string, name: string, email: string, ...holds: string[]): OtherAccount => ({
  key,
  name,
  email,
  holds,
})

export const role = (name: string, assigned: Match, description = ''): ResourcePlan => ({
  key: keyOf(name),
  name,
  description,
  holders: { assigned },
})
export const roleLevels: readonly Level[] = [assignment('assigned', 'Role')]

export const group = (name: string, member: Match, owner: Match, description = ''): ResourcePlan => ({
  key: keyOf(name),
  name,
  description,
  holders: { member, owner },
})
