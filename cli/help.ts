import { version } from '#kernel/version.ts'
import { variableOf } from '#server/settings/config.ts'
import { settings } from '#server/settings/settings.ts'
import type { Command } from './command.ts'
import { ownCommand } from './own-command.ts'

const width = 100
const indent = 28

/** `left` in its own column, `right` wrapped beside it. */
function row(left: string, right: string): string {
  const lines: string[] = []
  let line = ''
  for (const word of right.split(' ')) {
    if (line !== '' && `${line} ${word}`.length > width - indent) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  lines.push(line)
  const head = `  ${left}`
  const first = head.length < indent ? head.padEnd(indent) : `${head}\n${' '.repeat(indent)}`
  return first + lines.join(`\n${' '.repeat(indent)}`)
}

const usageOf = ({ name, positionals, flags }: Command): string =>
  [ownCommand(), name, ...positionals, ...flags.filter((f) => f.required).map((f) => `--${f.name} ${f.value}`)].join(
    ' ',
  )

const rowsOf = (commands: readonly Command[]): string[] =>
  commands.map((command) => row([command.name, ...command.positionals].join(' '), command.summary))

export const overview = (commands: readonly Command[]): string =>
  [
    `Bailiwick ${version}: who has access to what in which app, why, since when, and by which rule.`,
    '',
    `Usage: ${ownCommand()} COMMAND [FLAGS]`,
    '',
    ...rowsOf(commands),
    row('help [COMMAND]', 'Show the help of a command.'),
    row('version', 'Print the version.'),
    '',
    'Every command has --help. Settings can also be set by environment variables, shown in brackets.',
  ].join('\n')

/** Of commands that begin with the same words. */
export const overviewOf = (words: string, commands: readonly Command[]): string =>
  [`Usage: ${ownCommand()} ${words} COMMAND [FLAGS]`, '', ...rowsOf(commands), '', 'Every command has --help.'].join(
    '\n',
  )

export function helpFor(command: Command): string {
  const own = command.flags.map(({ name, value, help, repeatable }) =>
    row(`--${name}${value ? ` ${value}` : ''}`, repeatable ? `${help} Can be repeated.` : help),
  )
  const shared = command.settings.map((name) => {
    const { value, help, byDefault, variable } = settings[name] as (typeof settings)['database-url']
    const variables = [variableOf(name), ...(variable ? [variable] : [])].join(' or ')
    return row(`--${name}${value ? ` ${value}` : ''}`, `${help} [default: ${byDefault}] [${variables}]`)
  })
  return [
    `Usage: ${usageOf(command)} [FLAGS]`,
    '',
    command.summary,
    '',
    ...own,
    ...shared,
    row('--help', 'Show this help.'),
  ].join('\n')
}
