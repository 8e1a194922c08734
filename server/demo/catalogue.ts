import { departments } from './organisation.ts'
import { domain } from './people.ts'
import {
  type AppPlan,
  assignment,
  at,
  both,
  contractors,
  either,
  everyone,
  heads,
  inDepartment,
  inTeam,
  interns,
  keyOf,
  type Level,
  type Match,
  managers,
  nobody,
  type OtherAccount,
  ownership,
  permission,
  type ResourcePlan,
  some,
  staff,
  titled,
} from './plan.ts'

const engineers = inDepartment('Engineering')
const developers = either(inTeam('Firmware', 'Platform', 'Web', 'Quality'), inDepartment('Data'))
const administrators = inTeam('Systems')
const security = inTeam('Security')

const machine = (key: string, name: string, ...holds: string[]): OtherAccount => ({
  key,
  name,
  email: `${key}@${domain}`,
  type: 'APP_USER_TYPE_SERVICE_ACCOUNT',
  holds,
})
const vendor = (key: string, name: string, ...holds: string[]): OtherAccount => ({
  key,
  name,
  email: '',
  type: 'APP_USER_TYPE_SYSTEM_ACCOUNT',
  holds,
})
/** Somebody of whom the company has no record (any more). */
const stranger = (key: string, name: string, email: string, ...holds: string[]): OtherAccount => ({
  key,
  name,
  email,
  holds,
})

const role = (name: string, assigned: Match, description = ''): ResourcePlan => ({
  key: keyOf(name),
  name,
  description,
  holders: { assigned },
})
const roleLevels: readonly Level[] = [assignment('assigned', 'Role')]

const group = (name: string, member: Match, owner: Match, description = ''): ResourcePlan => ({
  key: keyOf(name),
  name,
  description,
  holders: { member, owner },
})
const ledBy = (match: Match): Match => both(managers, match)

const directory: AppPlan = {
  key: 'directory',
  name: 'Directory',
  description: 'Everybody who works here, and the groups that other systems read.',
  types: [
    {
      key: 'organisation-group',
      name: 'Organisation Group',
      levels: [assignment('member', 'Member'), ownership('owner', 'Owner')],
      resources: departments.map(({ name }) =>
        group(
          name,
          (person) => person.department === name,
          (person) => person.rank === 'head' && person.department === name,
          `Everybody in ${name}.`,
        ),
      ),
    },
    {
      key: 'group',
      name: 'Group',
      levels: [assignment('member', 'Member')],
      resources: [
        ...departments.flatMap(({ teams }) => teams.map(({ name }) => group(`Team ${name}`, inTeam(name), nobody))),
        ...['Leeds', 'Porto', 'Toronto', 'Pune', 'Remote'].map((site) => group(`Site ${site}`, at(site), nobody)),
        group('All Staff', everyone, nobody),
        group('People Managers', managers, nobody),
        group('Contractors', contractors, nobody),
        group('Interns', interns, nobody),
      ],
    },
    {
      key: 'role',
      name: 'Role',
      levels: roleLevels,
      resources: [
        role('Directory Administrator', administrators, 'May change everything in the directory.'),
        role('Password Helper', titled(/IT Support/), 'May give out new passwords.'),
      ],
    },
  ],
  others: [
    machine('directory-sync', 'Directory Sync', 'role:directory-administrator:assigned'),
    vendor('administrator', 'Built-in Administrator', 'role:directory-administrator:assigned'),
    stranger('lab-bench-2', 'Lab Bench 2 (shared)', '', 'group:site-leeds:member'),
    stranger('petra.holm', 'Petra Holm', 'petra.holm@harbour-consulting.example', 'group:contractors:member'),
  ],
}

const repository = (name: string, write: Match, description: string): ResourcePlan => ({
  key: name,
  name,
  description,
  holders: {
    read: some(0.55, developers),
    write: some(
      0.95,
      both(write, (person) => person.rank !== 'head'),
    ),
    admin: both(write, either(managers, titled(/^(Staff|Senior)/)), titled(/Engineer/), (p) => p.rank !== 'head'),
  },
})

const sourceCode: AppPlan = {
  key: 'source-code',
  name: 'Source Code',
  description: 'Repositories of firmware, platform and web.',
  types: [
    {
      key: 'organisation',
      name: 'Organisation',
      levels: [assignment('member', 'Member'), ownership('owner', 'Owner')],
      resources: [
        {
          key: 'larkfield',
          name: 'Larkfield',
          holders: {
            member: either(developers, inTeam('Hardware'), titled(/^VP Engineering$/), security),
            owner: titled(/^(VP Engineering|Platform Engineering Manager|Security Manager)$/),
          },
        },
      ],
    },
    {
      key: 'repository',
      name: 'Repository',
      levels: [permission('read', 'Read'), permission('write', 'Write'), ownership('admin', 'Admin')],
      resources: [
        repository('firmware-core', inTeam('Firmware'), 'What runs on every instrument.'),
        repository('firmware-bootloader', inTeam('Firmware'), 'Starts and updates an instrument.'),
        repository('sensor-drivers', inTeam('Firmware', 'Hardware'), 'Drivers of optical and thermal sensors.'),
        repository('board-designs', inTeam('Hardware'), 'Schematics and layouts.'),
        repository('calibration-tools', inTeam('Quality', 'Hardware'), 'Used on the calibration benches.'),
        repository('device-gateway', inTeam('Platform'), 'Where instruments report to.'),
        repository('measurement-store', inTeam('Platform'), 'Keeps what instruments measured.'),
        repository('infrastructure', inTeam('Platform', 'Systems'), 'What runs where, as code.'),
        repository('customer-portal', inTeam('Web'), 'What customers sign in to.'),
        repository('public-site', either(inTeam('Web'), titled(/Product Designer/)), 'The web site.'),
        repository('design-system', either(inTeam('Web'), titled(/Product Designer/)), 'Buttons and colours.'),
        repository('order-api', inTeam('Web', 'Platform'), 'Orders, from portal to factory.'),
        repository('data-pipelines', inDepartment('Data'), 'Feeds the data warehouse.'),
        repository('test-rigs', inTeam('Quality'), 'Drives the test rigs.'),
      ],
    },
  ],
  others: [
    machine('build-agent', 'Build Agent', 'repository:firmware-core:read', 'repository:customer-portal:write'),
    machine(
      'release-signer',
      'Release Signer',
      'repository:firmware-core:write',
      'repository:firmware-bootloader:write',
    ),
    stranger('petra.holm', 'Petra Holm', 'petra.holm@harbour-consulting.example', 'repository:device-gateway:write'),
    stranger('dmitri.k', 'dmitri-k', 'dmitri.k@mail.example', 'repository:firmware-core:read'),
    stranger('old-ci', 'old-ci', '', 'repository:infrastructure:admin'),
  ],
}

const project = (name: string, editor: Match, description = ''): ResourcePlan => ({
  key: keyOf(name),
  name,
  description,
  holders: {
    viewer: some(0.5, either(inTeam('Platform', 'Web'), inDepartment('Data'), security)),
    editor: some(0.9, editor),
    owner: both(editor, (person) => person.rank === 'lead'),
  },
})

const cloud: AppPlan = {
  key: 'cloud',
  name: 'Cloud',
  description: 'Machines, networks and storage for rent.',
  types: [
    {
      key: 'project',
      name: 'Project',
      levels: [permission('viewer', 'Viewer'), permission('editor', 'Editor'), ownership('owner', 'Owner')],
      resources: [
        project('Production', titled(/^(Staff|Senior) Platform|Platform Engineering Manager|Systems Admin/)),
        project('Staging', inTeam('Platform', 'Web')),
        project('Development', inTeam('Platform', 'Web')),
        project('Device Gateway', inTeam('Platform', 'Firmware')),
        project('Analytics', inDepartment('Data')),
        project('Backups', administrators, 'Copies of everything that matters.'),
        project('Security Audit', security, 'Logs that nobody else may change.'),
      ],
    },
    {
      key: 'role',
      name: 'Role',
      levels: roleLevels,
      resources: [
        role('Organisation Administrator', titled(/^(Director of IT|Systems Administration Manager)$/)),
        role('Billing Viewer', titled(/^(Chief Financial Officer|Financial Analyst|Director of IT)$/)),
      ],
    },
  ],
  others: [
    machine('build-agent', 'Build Agent', 'project:staging:editor', 'project:production:editor'),
    machine('nightly-backup', 'Nightly Backup', 'project:production:viewer', 'project:backups:editor'),
    machine('metrics-scraper', 'Metrics Scraper', 'project:production:viewer'),
    vendor('root', 'root', 'role:organisation-administrator:assigned'),
    stranger('migration-2023', 'migration-2023', '', 'project:production:owner'),
  ],
}

const territory = (name: string, edit: Match): ResourcePlan => ({
  key: keyOf(name),
  name,
  holders: { view: some(0.7, either(inDepartment('Sales'), inTeam('Demand Generation'))), edit },
})

const crm: AppPlan = {
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

const payroll: AppPlan = {
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

const board = (name: string, work: Match, browse: Match): ResourcePlan => ({
  key: keyOf(name),
  name,
  holders: { browse: either(browse, work), work, administer: ledBy(work) },
})

const ticketing: AppPlan = {
  key: 'ticketing',
  name: 'Ticketing',
  description: 'What is to be done, by whom.',
  types: [
    {
      key: 'project',
      name: 'Project',
      levels: [permission('browse', 'Browse'), permission('work', 'Work'), ownership('administer', 'Administer')],
      resources: [
        board('IT Help', inDepartment('IT'), everyone),
        board('Facilities', titled(/^(Executive Assistant|HR Coordinator|Events Coordinator)$/), everyone),
        board('Firmware', inTeam('Firmware'), engineers),
        board('Platform', inTeam('Platform'), engineers),
        board('Web', inTeam('Web'), either(engineers, inDepartment('Product'))),
        board('Hardware', inTeam('Hardware'), either(engineers, inTeam('Calibration'))),
        board('Quality', inTeam('Quality'), either(engineers, inTeam('Calibration'))),
        board('Customer Cases', inDepartment('Customer Support'), inDepartment('Product', 'Sales')),
        board('Factory Changes', inDepartment('Manufacturing'), inTeam('Hardware', 'Quality')),
        board('Security Incidents', security, titled(/^(Director of IT|General Counsel|Compliance Officer)$/)),
      ],
    },
  ],
  others: [
    machine('mail-intake', 'Mail Intake', 'project:it-help:work', 'project:customer-cases:work'),
    machine('build-agent', 'Build Agent', 'project:platform:browse', 'project:firmware:browse'),
    stranger('petra.holm', 'Petra Holm', 'petra.holm@harbour-consulting.example', 'project:platform:work'),
    stranger('reception', 'Reception (shared)', '', 'project:facilities:work'),
  ],
}

const wiki: AppPlan = {
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

const dataset = (name: string, read: Match, write: Match, description = ''): ResourcePlan => ({
  key: keyOf(name),
  name,
  description,
  holders: { read: either(read, inDepartment('Data')), write: both(write, staff) },
})

const loaders = titled(/^(Data Engineer|Director of Data)$/)

const dataWarehouse: AppPlan = {
  key: 'data-warehouse',
  name: 'Data Warehouse',
  description: 'Everything that can be counted.',
  types: [
    {
      key: 'dataset',
      name: 'Dataset',
      levels: [permission('read', 'Read'), permission('write', 'Write')],
      resources: [
        dataset('Measurements', either(titled(/^Senior .*Engineer$/), inTeam('Product Management')), loaders),
        dataset('Device Health', inTeam('Firmware', 'Quality', 'Field Service'), loaders),
        dataset('Sales', either(inTeam('Sales Operations'), both(inDepartment('Sales'), managers)), loaders),
        dataset('Web Visits', either(inDepartment('Marketing'), inTeam('Product Management', 'Design')), loaders),
        dataset('Support Cases', both(inDepartment('Customer Support'), managers), loaders),
        dataset('Production', both(inDepartment('Manufacturing'), managers), loaders),
        dataset('Finance', both(inDepartment('Finance'), titled(/Analyst|Manager|Chief/)), loaders, 'Ledgers.'),
        dataset(
          'People',
          titled(/^(Chief People Officer|HR Business Partner)$/),
          titled(/^Director of Data$/),
          'Personal.',
        ),
      ],
    },
    {
      key: 'role',
      name: 'Role',
      levels: roleLevels,
      resources: [role('Warehouse Administrator', titled(/^Director of Data$/))],
    },
  ],
  others: [
    machine('warehouse-loader', 'Warehouse Loader', 'dataset:sales:write', 'dataset:measurements:write'),
    machine('payroll-export', 'Payroll Export', 'dataset:people:write'),
    stranger('bi-trial', 'bi-trial', '', 'dataset:sales:read', 'dataset:finance:read'),
  ],
}

const network = (name: string, connect: Match, description: string): ResourcePlan => ({
  key: keyOf(name),
  name,
  description,
  holders: { connect },
})

const vpn: AppPlan = {
  key: 'vpn',
  name: 'VPN',
  description: 'The way into our networks from elsewhere.',
  types: [
    {
      key: 'network',
      name: 'Network',
      levels: [permission('connect', 'Connection')],
      resources: [
        network('Office', (person) => !/Technician|Associate/.test(person.jobTitle), 'Printers and file shares.'),
        network('Engineering Lab', either(engineers, inTeam('Field Service')), 'Test rigs and benches.'),
        network('Factory Floor', titled(/^(VP Manufacturing|Calibration|Test Engineer|Systems)/), 'Machines.'),
        network('Servers', inTeam('Platform', 'Systems', 'Security'), 'Where production runs.'),
      ],
    },
  ],
  others: [
    machine('site-link-porto', 'Site Link Porto', 'network:office:connect', 'network:factory-floor:connect'),
    stranger('machine-maker', 'Machine Maker Service', 'service@kestrel-cnc.example', 'network:factory-floor:connect'),
    stranger('petra.holm', 'Petra Holm', 'petra.holm@harbour-consulting.example', 'network:servers:connect'),
  ],
}

const pipeline = (name: string, run: Match): ResourcePlan => ({
  key: keyOf(name),
  name,
  holders: { view: some(0.7, developers), run, administer: ledBy(run) },
})

const buildSystem: AppPlan = {
  key: 'build-system',
  name: 'Build System',
  description: 'Builds, tests and releases.',
  types: [
    {
      key: 'pipeline',
      name: 'Pipeline',
      levels: [permission('view', 'View'), permission('run', 'Run'), ownership('administer', 'Administer')],
      resources: [
        pipeline('Firmware Release', inTeam('Firmware')),
        pipeline('Gateway Deployment', inTeam('Platform')),
        pipeline('Portal Deployment', inTeam('Web')),
        pipeline('Hardware Tests', inTeam('Quality', 'Hardware')),
        pipeline('Data Loads', inDepartment('Data')),
        pipeline('Infrastructure Changes', inTeam('Platform', 'Systems')),
      ],
    },
  ],
  others: [
    machine('build-agent', 'Build Agent', 'pipeline:firmware-release:run', 'pipeline:portal-deployment:run'),
    stranger('old-ci', 'old-ci', '', 'pipeline:infrastructure-changes:administer'),
  ],
}

const expenses: AppPlan = {
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

const door = (name: string, enter: Match): ResourcePlan => ({ key: keyOf(name), name, holders: { enter } })
const inLeeds = (match: Match): Match => both(at('Leeds'), match)

const doorAccess: AppPlan = {
  key: 'door-access',
  name: 'Door Access',
  description: 'Badges and the doors they open.',
  types: [
    {
      key: 'door',
      name: 'Door',
      levels: [permission('enter', 'Entry')],
      resources: [
        ...['Leeds', 'Porto', 'Toronto', 'Pune'].map((site) => door(`${site} Main Entrance`, either(at(site), heads))),
        door('Leeds Factory', inLeeds(either(inDepartment('Manufacturing'), inTeam('Hardware', 'Quality')))),
        door('Leeds Calibration Room', inLeeds(either(inTeam('Calibration', 'Quality'), titled(/Hardware/)))),
        door('Leeds Laboratory', inLeeds(engineers)),
        door('Leeds Server Room', inLeeds(inDepartment('IT'))),
        door('Leeds Archive', inLeeds(inDepartment('Legal', 'Finance', 'People'))),
        door('Porto Factory', both(at('Porto'), inDepartment('Manufacturing'))),
        door('Porto Warehouse', both(at('Porto'), inTeam('Supply Chain'))),
      ],
    },
  ],
  others: [
    stranger('cleaning-1', 'Cleaning 1', '', 'door:leeds-main-entrance:enter', 'door:leeds-archive:enter'),
    stranger('visitor-07', 'Visitor 07', '', 'door:leeds-main-entrance:enter', 'door:leeds-laboratory:enter'),
    stranger('security-guard', 'Security Guard', '', 'door:leeds-main-entrance:enter', 'door:leeds-factory:enter'),
  ],
}

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

/** What somebody ought to ask about. Each goes to the first who matches. */
export const oddities: readonly { who: Match; app: string; holds: readonly string[] }[] = [
  { who: titled(/^Software Intern$/), app: 'source-code', holds: ['repository:customer-portal:admin'] },
  { who: titled(/^Software Intern$/), app: 'cloud', holds: ['project:production:owner'] },
  { who: titled(/^Payroll Specialist$/), app: 'payroll', holds: ['role:payroll-approver:assigned'] },
  { who: titled(/^Accounts Payable Clerk$/), app: 'expense-reports', holds: ['role:approver:assigned'] },
  { who: both(contractors, inDepartment('Engineering')), app: 'data-warehouse', holds: ['dataset:people:read'] },
  { who: titled(/^Executive Assistant$/), app: 'payroll', holds: ['role:payroll-administrator:assigned'] },
  { who: titled(/^Marketing Intern$/), app: 'crm', holds: ['role:crm-administrator:assigned'] },
]
