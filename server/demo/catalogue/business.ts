import { departments } from '../organisation.ts'
import {
  type AppPlan,
  both,
  either,
  everyone,
  heads,
  inDepartment,
  inTeam,
  keyOf,
  type Match,
  managers,
  ownership,
  permission,
  type ResourcePlan,
  some,
  staff,
  titled,
} from '../plan.ts'
import { machine, role, roleLevels, stranger } from './plans.ts'
import { administrators, ledBy, security } from './teams.ts'

const territory = (name: string, edit: Match): ResourcePlan => ({
  key: keyOf(name),
  name,
  holders: { view: some(0.7, either(inDepartment('Sales'), inTeam('Demand Generation'))), edit },
})

export const crm: AppPlan = {
  key: 'crm',
  name: 'CRM',
  description: 'Customers, leads and quotes.',
  types: [
    {
      key: 'role',
      name: 'Role',
      levels: roleLevels,
      resources: [
        role(
          'Sales User',
          both(inDepartment('Sales'), (person) => person.rank === 'member'),
        ),
        role('Sales Manager', both(inDepartment('Sales'), managers), 'Sees the whole forecast.'),
        role('Marketing User', inDepartment('Marketing')),
        role('Support User', inDepartment('Customer Support')),
        role('Read Only', either(inDepartment('Product'), heads)),
        role('Discount Approver', titled(/^(VP Sales|Regional Sales|Chief Financial)/)),
        role('CRM Administrator', titled(/^Sales Operations/)),
      ],
    },
    {
      key: 'territory',
      name: 'Territory',
      levels: [permission('view', 'View'), permission('edit', 'Edit')],
      resources: [
        territory('Northern Europe', inTeam('Sales Europe')),
        territory('Southern Europe', inTeam('Sales Europe')),
        territory('Americas', inTeam('Sales Americas')),
        territory('Asia Pacific', inTeam('Sales Operations')),
      ],
    },
  ],
  others: [
    machine('web-leads', 'Web Leads', 'role:sales-user:assigned'),
    machine('warehouse-loader', 'Warehouse Loader', 'role:read-only:assigned'),
    stranger('j.ferris', 'J. Ferris', 'j.ferris@northgate-agency.example', 'role:marketing-user:assigned'),
    stranger('training-1', 'Training 1', '', 'role:sales-user:assigned', 'territory:americas:view'),
  ],
}

export const payroll: AppPlan = {
  key: 'payroll',
  name: 'Payroll',
  description: 'Salaries, payslips and bank details.',
  types: [
    {
      key: 'role',
      name: 'Role',
      levels: roleLevels,
      resources: [
        role('Own Payslips', staff, 'Each their own.'),
        role('Payroll Clerk', titled(/^Payroll Specialist$/), 'Prepares a run.'),
        role('Payroll Approver', titled(/^(Chief Financial Officer|Financial Planning Manager)$/), 'Releases a run.'),
        role('Salary Editor', inTeam('People Operations')),
        role('Payroll Auditor', titled(/^(Compliance Officer|Accounting Manager)$/)),
        role('Payroll Administrator', titled(/^(Financial Planning Manager|Systems Administration Manager)$/)),
      ],
    },
  ],
  others: [
    machine('payroll-export', 'Payroll Export', 'role:payroll-auditor:assigned'),
    stranger('audit-2024', 'External Audit', 'audit@brook-partners.example', 'role:payroll-auditor:assigned'),
  ],
}

export const wiki: AppPlan = {
  key: 'wiki',
  name: 'Wiki',
  description: 'What we know, written down.',
  types: [
    {
      key: 'space',
      name: 'Space',
      levels: [permission('read', 'Read'), permission('edit', 'Edit'), ownership('admin', 'Admin')],
      resources: [
        {
          key: 'company',
          name: 'Company',
          holders: { read: everyone, edit: managers, admin: titled(/^Executive Assistant$/) },
        },
        {
          key: 'handbook',
          name: 'Handbook',
          holders: { read: everyone, edit: inDepartment('People'), admin: titled(/^People Operations Manager$/) },
        },
        ...departments.map(({ name }) => ({
          key: keyOf(name),
          name,
          holders: {
            read: inDepartment(name),
            edit: some(0.6, both(inDepartment(name), staff)),
            admin: ledBy(inDepartment(name)),
          },
        })),
        {
          key: 'runbooks',
          name: 'Runbooks',
          description: 'What to do at three in the morning.',
          holders: {
            read: either(inTeam('Platform', 'Web'), inDepartment('IT')),
            edit: administrators,
            admin: security,
          },
        },
      ],
    },
  ],
  others: [
    machine('release-notes', 'Release Notes', 'space:engineering:edit'),
    stranger('dmitri.k', 'Dmitri K', 'dmitri.k@mail.example', 'space:engineering:read'),
  ],
}

export const expenses: AppPlan = {
  key: 'expense-reports',
  name: 'Expense Reports',
  description: 'Travel and small purchases.',
  types: [
    {
      key: 'role',
      name: 'Role',
      levels: roleLevels,
      resources: [
        role('Submitter', staff),
        role('Approver', managers, 'Approves what their people spent.'),
        role('Payer', titled(/^Accounts Payable Clerk$/)),
        role('Expense Auditor', either(titled(/^Compliance Officer$/), inTeam('Accounting'))),
        role('Expense Administrator', titled(/^Accounting Manager$/)),
      ],
    },
  ],
  others: [machine('card-feed', 'Company Card Feed', 'role:submitter:assigned')],
}
