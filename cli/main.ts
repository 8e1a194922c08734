import { DistributionFailed, DistributionRefused } from '#database/distribute/index.ts'
import { DatabaseNotStarted, DataFolderInUse } from '#database/embedded/embed.ts'
import { EmbeddedUnusable } from '#database/embedded/unprivileged.ts'
import { MigrationFailed, MigrationRefused } from '#database/migrate.ts'
import { DatabaseUnusable } from '#database/open.ts'
import { version } from '#kernel/version.ts'
import { DatabaseBehind, HeadsFileUnusable } from '#rooms/foundation/systemlog/index.ts'
import { UsageError } from '#server/config.ts'
import { type Command, readArguments } from './command.ts'
import { credentialApprove, credentialCreate, credentialDelete, credentialList } from './credential.ts'
import { databaseRestored } from './database.ts'
import { databaseDistribute } from './database-distribute.ts'
import { fourEyesList, fourEyesOff } from './four-eyes.ts'
import { helpFor, overview, overviewOf } from './help.ts'
import { importCommand } from './import.ts'
import { jobsDrop, jobsList, jobsRetry, jobsShow } from './jobs.ts'
import { tenantOidcRemove, tenantOidcSet, tenantOidcShow } from './oidc.ts'
import { print } from './operate.ts'
import { ownCommand } from './own-command.ts'
import { serve } from './serve.ts'
import { signInLink } from './sign-in-link.ts'
import { tenantPolicySet, tenantPolicyShow } from './sign-in-policy.ts'
import { systemlogVerify } from './systemlog.ts'
import { tenantCreate, tenantList, tenantRotateKeys } from './tenant.ts'
import { userDisable, userEnable, userList, userSetRoles } from './user.ts'
import { userEndSessions, userLinkOidc, userUnlinkOidc } from './user-sign-in.ts'

const commands: readonly Command[] = [
  serve,
  tenantCreate,
  tenantList,
  tenantRotateKeys,
  tenantOidcSet,
  tenantOidcShow,
  tenantOidcRemove,
  tenantPolicyShow,
  tenantPolicySet,
  signInLink,
  userList,
  userSetRoles,
  userDisable,
  userEnable,
  userEndSessions,
  userLinkOidc,
  userUnlinkOidc,
  credentialCreate,
  credentialList,
  credentialDelete,
  credentialApprove,
  fourEyesList,
  fourEyesOff,
  importCommand,
  jobsList,
  jobsShow,
  jobsRetry,
  jobsDrop,
  systemlogVerify,
  databaseRestored,
  databaseDistribute,
]

/** What an operator can mend is one line; anything else is a bug, and is told whole. */
const mendable = [
  DatabaseBehind,
  DataFolderInUse,
  DatabaseNotStarted,
  DatabaseUnusable,
  DistributionFailed,
  DistributionRefused,
  EmbeddedUnusable,
  HeadsFileUnusable,
  MigrationFailed,
  MigrationRefused,
]

/** The command that the words begin with, and the words that are left. */
function find(words: readonly string[]): { command: Command; rest: string[] } | null {
  for (const command of commands) {
    const name = command.name.split(' ')
    if (name.every((word, i) => words[i] === word)) return { command, rest: words.slice(name.length) }
  }
  return null
}

/** The help of a command, of all that begin with these words, or of everything. */
function helpAbout(words: readonly string[]): string {
  const found = find(words)
  if (found) return helpFor(found.command)
  const group = words.join(' ')
  const inGroup = commandsIn(group)
  return inGroup.length > 0 ? overviewOf(group, inGroup) : overview(commands)
}

const commandsIn = (group: string): Command[] => commands.filter(({ name }) => name.startsWith(`${group} `))

async function run(words: readonly string[]): Promise<number> {
  const [first] = words
  if (first === undefined || first === '--help' || first === '-h') return tell(overview(commands))
  if (first === 'version' || first === '--version') return tell(version)
  if (first === 'help') return tell(helpAbout(words.slice(1)))
  const found = find(words)
  if (!found) {
    const isHelp = (word: string): boolean => word === '--help' || word === '-h'
    if (words.some(isHelp)) return tell(helpAbout(words.filter((word) => !isHelp(word))))
    const given = words.filter((word) => !word.startsWith('-')).join(' ')
    if (commandsIn(given).length > 0)
      throw new UsageError(`${given} needs a subcommand; see ${ownCommand()} ${given} --help`)
    const group = commandsIn(first).length > 0 ? `${first} ` : ''
    throw new UsageError(`there is no command ${JSON.stringify(given || first)}; see ${ownCommand()} ${group}--help`)
  }
  const given = readArguments(found.command, found.rest)
  return given.flags['help'] ? tell(helpFor(found.command)) : found.command.run(given)
}

function tell(text: string): number {
  print(text)
  return 0
}

// Whoever reads what we print may have read enough, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`bailiwick: ${error.message}`)
    process.exitCode = 2
  } else if (mendable.some((kind) => error instanceof kind)) {
    console.error(`bailiwick: ${(error as Error).message}`)
    process.exitCode = 1
  } else {
    console.error(error)
    process.exitCode = 70
  }
}
