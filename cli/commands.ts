import type { SettingName } from '#server/settings/config.ts'
import { settings } from '#server/settings/settings.ts'
import type { Command } from './command.ts'
import { dataCommands } from './commands/data.ts'
import { peopleCommands } from './commands/people.ts'
import { tenantCommands } from './commands/tenants.ts'

/** All commands, in the order of `--help`. What one does is loaded when it runs: these files load nothing of the server. */
export const commands: readonly Command[] = [
  {
    name: 'serve',
    positionals: [],
    summary: 'Start the server, with an embedded PostgreSQL unless --database-url is set.',
    settings: Object.keys(settings) as SettingName[],
    flags: [],
    load: async () => (await import('./serve.ts')).serve,
  },
  ...tenantCommands,
  ...peopleCommands,
  ...dataCommands,
]
