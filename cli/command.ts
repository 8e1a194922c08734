import { parseArgs } from 'node:util'
import { isSingleLine, singleLineHint } from '#kernel/single-line.ts'
import { type FlagValues, type SettingName, UsageError } from '#server/settings/config.ts'
import { settings } from '#server/settings/settings.ts'
import { nearest } from './nearest.ts'
import { ownCommand } from './own-command.ts'

/** One `bailiwick` command. Its flags are settings of the program, or its own. */
export type Command = {
  /** As typed on the command line: `tenant create`. */
  name: string
  /** Its arguments, as in `DOMAIN`. */
  positionals: readonly string[]
  summary: string
  settings: readonly SettingName[]
  flags: readonly Flag[]
  /** Loads the implementation, which other commands, `--help` and usage errors do not need. */
  load(): Promise<Run>
}
/** Returns the exit code. */
export type Run = (given: Given) => Promise<number>
export type Flag = { name: string; value: string | null; help: string; required?: true; repeatable?: true }
export type Given = { positionals: readonly string[]; flags: FlagValues }

/** Reads the arguments of a command, or refuses them in one line. */
export function readArguments(command: Command, args: readonly string[]): Given {
  const options: Record<string, { type: 'string' | 'boolean'; multiple?: boolean; short?: string }> = {
    help: { type: 'boolean', short: 'h' },
  }
  for (const name of command.settings) {
    const { value, repeatable } = settings[name] as { value: string | null; repeatable?: true }
    options[name] = { type: value === null ? 'boolean' : 'string', multiple: repeatable ?? false }
  }
  for (const { name, value, repeatable } of command.flags)
    options[name] = { type: value === null ? 'boolean' : 'string', multiple: repeatable ?? false }

  let parsed: ReturnType<typeof parseArgs>
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(wordsOf(error as NodeJS.ErrnoException, command, Object.keys(options)))
  }
  const { values, positionals } = parsed
  if (values['help']) return { positionals, flags: values }
  const missing = command.positionals[positionals.length]
  if (missing) throw new UsageError(`${missing} is missing`)
  const tooMuch = positionals[command.positionals.length]
  if (tooMuch !== undefined) throw new UsageError(`unexpected argument ${JSON.stringify(tooMuch)}`)
  for (const { name, required } of command.flags)
    if (required && values[name] === undefined) throw new UsageError(`--${name} is missing`)
  refuseLines(positionals, values)
  return { positionals, flags: values }
}

/** Refuses values of more than one line: they are names, or are printed again on a separate line. */
function refuseLines(positionals: readonly string[], flags: FlagValues): void {
  for (const each of positionals)
    if (!isSingleLine(each)) throw new UsageError(`the argument ${JSON.stringify(each)} ${singleLineHint}`)
  for (const [name, given] of Object.entries(flags))
    for (const each of Array.isArray(given) ? given : [given])
      if (typeof each === 'string' && !isSingleLine(each)) throw new UsageError(`--${name} ${singleLineHint}`)
}

/** What Node says of the arguments, in one line like the other errors. */
function wordsOf({ code, message }: NodeJS.ErrnoException, { name }: Command, known: readonly string[]): string {
  const flag = /'(?:-\w, )?(--?[^'\s=]+)/.exec(message)?.[1] ?? ''
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const near = nearest(flag.replace(/^--?/, ''), known)
    return `unknown flag ${flag}; ${near === null ? `see ${ownCommand()} ${name} --help` : `did you mean --${near}?`}`
  }
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE' && flag !== '')
    return `${flag} ${message.includes('does not take') ? 'takes no value' : 'needs a value'}`
  // Node adds advice on how to pass arguments that begin with a dash; one line is enough.
  return (message.split(/\.\s|\n/, 1)[0] as string).replace(/\.$/, '')
}
