import { crm, expenses, payroll, wiki } from './catalogue/business.ts'
import { buildSystem, cloud, dataWarehouse, sourceCode, ticketing } from './catalogue/engineering.ts'
import { directory, doorAccess, vpn } from './catalogue/workplace.ts'
import { type AppPlan, both, contractors, inDepartment, type Match, titled } from './plan.ts'

export const apps: readonly AppPlan[] = [
  directory,
  sourceCode,
  cloud,
  crm,
  payroll,
  ticketing,
  wiki,
  dataWarehouse,
  vpn,
  buildSystem,
  expenses,
  doorAccess,
]

/** Service users: each has the accounts of the same key in the apps. */
export const serviceUsers: readonly { key: string; displayName: string; ownedBy: Match }[] = [
  { key: 'build-agent', displayName: 'Build Agent', ownedBy: titled(/^Platform Engineering Manager$/) },
  { key: 'directory-sync', displayName: 'Directory Sync', ownedBy: titled(/^Systems Administration Manager$/) },
  { key: 'nightly-backup', displayName: 'Nightly Backup', ownedBy: titled(/^Systems Administration Manager$/) },
  { key: 'payroll-export', displayName: 'Payroll Export', ownedBy: titled(/^Financial Planning Manager$/) },
  { key: 'warehouse-loader', displayName: 'Warehouse Loader', ownedBy: titled(/^Director of Data$/) },
]

/** Suspicious access that a review should find. Each goes to the first person who matches. */
export const oddities: readonly { who: Match; app: string; holds: readonly string[] }[] = [
  { who: titled(/^Software Intern$/), app: 'source-code', holds: ['repository:customer-portal:admin'] },
  { who: titled(/^Software Intern$/), app: 'cloud', holds: ['project:production:owner'] },
  { who: titled(/^Payroll Specialist$/), app: 'payroll', holds: ['role:payroll-approver:assigned'] },
  { who: titled(/^Accounts Payable Clerk$/), app: 'expense-reports', holds: ['role:approver:assigned'] },
  { who: both(contractors, inDepartment('Engineering')), app: 'data-warehouse', holds: ['dataset:people:read'] },
  { who: titled(/^Executive Assistant$/), app: 'payroll', holds: ['role:payroll-administrator:assigned'] },
  { who: titled(/^Marketing Intern$/), app: 'crm', holds: ['role:crm-administrator:assigned'] },
]
