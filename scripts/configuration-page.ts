import { dataSettings, type SettingName, settings, variableOf } from '#server/config.ts'

/** docs/configuration.md, from the settings themselves. */
export function configurationPage(): string {
  const rows = (Object.keys(settings) as SettingName[]).map((name) => {
    const { value, help, byDefault, variable } = settings[name] as (typeof settings)['database-url']
    const variables = [variableOf(name), ...(variable ? [variable] : [])].map((each) => `\`${each}\``).join(', ')
    return `| \`--${name}${value ? ` ${value}` : ''}\` | ${variables} | ${byDefault} | ${help} |`
  })
  return `<!-- Made by npm run generate from server/config.ts. -->
# Configuration

Every setting is a flag of \`node bin/bailiwick.mjs serve\` or a variable; a flag comes before its variable. In a variable, several
values are separated by commas, and a switch is \`true\` or \`false\`. A wrong flag or value is one line and exit code 2.

| flag | variable | default | meaning |
|---|---|---|---|
${rows.join('\n')}

The operator commands (\`node bin/bailiwick.mjs tenant …\`, \`credential …\`, \`systemlog …\`) take
${dataSettings.map((name) => `\`--${name}\``).join(', ')}, so that they work on the same data as the server, with
and without it running. \`bailiwick COMMAND --help\` tells each command's own flags.
`
}
