import { dataSettings, mailSettings } from '#server/settings/config.ts'
import type { Command } from '../command.ts'
import { importKinds, jobStates, jsonFlag, listMax, shardsDefault, tenantFlag } from '../values.ts'

/** Records, mail, jobs, the system log and the database. */
export const dataCommands: readonly Command[] = [
  {
    name: 'import',
    positionals: ['FILE'],
    summary:
      'Import users, apps, resource types, resources, entitlements, accounts and grants from JSON Lines or CSV, or the file ' +
      'of a connector (.c1z), or from standard input if FILE is -. Exits 1 and changes nothing if a line is rejected.',
    settings: dataSettings,
    flags: [
      tenantFlag,
      {
        name: 'full',
        value: null,
        help: 'Remove previously imported records that are not in FILE, of the types in it.',
      },
      { name: 'dry-run', value: null, help: 'Show what would change, save nothing.' },
      {
        name: 'force',
        value: null,
        help: 'Import even if --full would remove more than 20% of the records of a type.',
      },
      { name: 'kind', value: 'KIND', help: `The type of records in lines without one: ${importKinds.join(', ')}.` },
      {
        name: 'app',
        value: 'APP',
        help: 'The app of a connector file: its id or external id, created if it does not exist. Default: the name of FILE.',
      },
      jsonFlag,
    ],
    load: async () => (await import('../import.ts')).importCommand,
  },
  {
    name: 'mail test',
    positionals: ['ADDRESS'],
    summary: 'Send a test message through the configured mail server. Exits 1 if it is not accepted.',
    settings: [...dataSettings, ...mailSettings],
    flags: [tenantFlag],
    load: async () => (await import('../mail.ts')).mailTest,
  },
  {
    name: 'mail preview',
    positionals: ['FOLDER'],
    summary: 'Write all kinds of messages, with sample data, to a folder, as HTML and as text.',
    settings: [],
    flags: [],
    load: async () => (await import('../mail.ts')).mailPreview,
  },
  {
    name: 'jobs list',
    positionals: [],
    summary: `List waiting, running and stuck jobs of a tenant, newest first (at most ${listMax}).`,
    settings: dataSettings,
    flags: [
      tenantFlag,
      { name: 'kind', value: 'KIND', help: 'Only jobs of this kind.' },
      { name: 'state', value: 'STATE', help: `Only jobs in this state: ${jobStates.join(', ')}.` },
      jsonFlag,
    ],
    load: async () => (await import('../jobs.ts')).jobsList,
  },
  {
    name: 'jobs show',
    positionals: ['ID'],
    summary: 'Show a job.',
    settings: dataSettings,
    flags: [tenantFlag, jsonFlag],
    load: async () => (await import('../jobs.ts')).jobsShow,
  },
  {
    name: 'jobs retry',
    positionals: ['ID'],
    summary: 'Retry a stuck or waiting job now. A running server runs it.',
    settings: dataSettings,
    flags: [tenantFlag],
    load: async () => (await import('../jobs.ts')).jobsRetry,
  },
  {
    name: 'jobs drop',
    positionals: ['ID'],
    summary: 'Delete a stuck or waiting job. Its work is not done.',
    settings: dataSettings,
    flags: [tenantFlag],
    load: async () => (await import('../jobs.ts')).jobsDrop,
  },
  {
    name: 'systemlog verify',
    positionals: [],
    summary: 'Check that no event of the system log was altered, removed or inserted. Exits 1 if one was.',
    settings: dataSettings,
    flags: [
      { ...tenantFlag, help: 'Only this tenant. [default: all]' },
      {
        name: 'head',
        value: 'HEAD',
        help: 'The head that an earlier verify printed for this tenant: proves that it is still in the chain.',
      },
      {
        name: 'witness',
        value: 'FILE',
        help: 'A file that a witness wrote: proves that every head in it is still in the chain.',
      },
      {
        name: 'archive',
        value: 'DIR',
        help: 'A folder with exported files: checks them as well, and the events that were removed from the database.',
      },
      jsonFlag,
    ],
    load: async () => (await import('../systemlog.ts')).systemlogVerify,
  },
  {
    name: 'systemlog retention plan',
    positionals: [],
    summary:
      'Show how many archived events the server would remove from the database, and why the others are kept. Changes nothing.',
    settings: [...dataSettings, 'datasources-file', 'systemlog-retention'],
    flags: [{ ...tenantFlag, help: 'Only this tenant. [default: all]' }, jsonFlag],
    load: async () => (await import('../systemlog-retention.ts')).systemlogRetentionPlan,
  },
  {
    name: 'database restored',
    positionals: [],
    summary:
      'Accept a database that was restored from a backup. Sign-in links, sessions, API credentials, passkeys and linked OpenID Connect identities from before are no longer accepted.',
    settings: dataSettings,
    flags: [
      {
        name: 'keep-credentials',
        value: null,
        help: 'Accept the API credentials, passkeys and linked identities in the backup, including those that were deleted after it was created.',
      },
    ],
    load: async () => (await import('../database.ts')).databaseRestored,
  },
  {
    name: 'database distribute',
    positionals: [],
    summary:
      "Distribute the database of --database-url over the nodes of a Citus cluster: each tenant's rows are on one node. Stop all servers first. Run it again to continue after an interruption, and after nodes were added or shards moved.",
    settings: ['database-url', 'database-without-tls'],
    flags: [
      {
        name: 'shards',
        value: 'N',
        help: `The number of shards per table, at the first distribution. [default: ${shardsDefault}]`,
      },
    ],
    load: async () => (await import('../database-distribute.ts')).databaseDistribute,
  },
]
