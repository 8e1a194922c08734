import { departments } from '../organisation.ts'
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
  type Match,
  managers,
  nobody,
  ownership,
  permission,
  type ResourcePlan,
  titled,
} from '../plan.ts'
import { group, machine, role, roleLevels, stranger, vendor } from './plans.ts'
import { administrators, engineers } from './teams.ts'

export const directory: AppPlan = {
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

const network = (name: string, connect: Match, description: string): ResourcePlan => ({
  key: keyOf(name),
  name,
  description,
  holders: { connect },
})

export const vpn: AppPlan = {
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

const door = (name: string, enter: Match): ResourcePlan => ({ key: keyOf(name), name, holders: { enter } })
const inLeeds = (match: Match): Match => both(at('Leeds'), match)

export const doorAccess: AppPlan = {
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
