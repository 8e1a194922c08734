import {
  type AppPlan,
  assignment,
  both,
  either,
  everyone,
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
import { machine, role, roleLevels, stranger, vendor } from './plans.ts'
import { administrators, developers, engineers, ledBy, security } from './teams.ts'

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

export const sourceCode: AppPlan = {
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

export const cloud: AppPlan = {
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

const board = (name: string, work: Match, browse: Match): ResourcePlan => ({
  key: keyOf(name),
  name,
  holders: { browse: either(browse, work), work, administer: ledBy(work) },
})

export const ticketing: AppPlan = {
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

const dataset = (name: string, read: Match, write: Match, description = ''): ResourcePlan => ({
  key: keyOf(name),
  name,
  description,
  holders: { read: either(read, inDepartment('Data')), write: both(write, staff) },
})

const loaders = titled(/^(Data Engineer|Director of Data)$/)

export const dataWarehouse: AppPlan = {
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

const pipeline = (name: string, run: Match): ResourcePlan => ({
  key: keyOf(name),
  name,
  holders: { view: some(0.7, developers), run, administer: ledBy(run) },
})

export const buildSystem: AppPlan = {
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
