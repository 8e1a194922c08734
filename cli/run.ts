import { inspect } from 'node:util'
import { OperatorError } from '#kernel/operator-error.ts'
import { version } from '#kernel/version.ts'
import { UsageError } from '#server/settings/config.ts'
import { type Command, readArguments } from './command.ts'
import { commands } from './commands.ts'
import { helpFor, overview, overviewOf } from './help.ts'
import { ownCommand } from './own-command.ts'
import { print } from './print.ts'

/** The command that the words begin with, and the remaining words. */
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

async function runWords(words: readonly string[]): Promise<number> {
  const [first] = words
  if (first === undefined || first === '--help' || first === '-h') return show(overview(commands))
  if (first === 'version' || first === '--version') return show(version)
  if (first === 'help') return show(helpAbout(words.slice(1)))
  const found = find(words)
  if (!found) {
    const isHelp = (word: string): boolean => word === '--help' || word === '-h'
    if (words.some(isHelp)) return show(helpAbout(words.filter((word) => !isHelp(word))))
    const given = words.filter((word) => !word.startsWith('-')).join(' ')
    if (commandsIn(given).length > 0)
      throw new UsageError(`${given} needs a subcommand; see ${ownCommand()} ${given} --help`)
    const group = commandsIn(first).length > 0 ? `${first} ` : ''
    throw new UsageError(`there is no command ${JSON.stringify(given || first)}; see ${ownCommand()} ${group}--help`)
  }
  const given = readArguments(found.command, found.rest)
  if (given.flags['help']) return show(helpFor(found.command))
  const runCommand = await found.command.load()
  return runCommand(given)
}

function show(text: string): number {
  print(text)
  return 0
}

/** Runs the command that the words name, and returns the exit code. Prints errors to standard error. */
export async function run(words: readonly string[]): Promise<number> {
  try {
    return await runWords(words)
  } catch (error) {
    const isUsage = error instanceof UsageError
    const isExpected = isUsage || error instanceof OperatorError
    process.stderr.write(`${isExpected ? `bailiwick: ${error.message}` : inspect(error)}\n`)
    return isUsage ? 2 : isExpected ? 1 : 70
  }
}
