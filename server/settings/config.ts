import { type Setting, Wrong } from './setting.ts'
import { settings } from './settings.ts'

export type SettingName = keyof typeof settings
type ValueOf<N extends SettingName> = (typeof settings)[N] extends Setting<infer T> ? T : never
type Camel<S extends string> = S extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S
export type Config = { readonly [N in SettingName as Camel<N>]: ValueOf<N> }

/** How a server logs: by the settings, otherwise by whether standard error is a terminal. */
export function loggingOf({ logFormat, logRequests }: Pick<Config, 'logFormat' | 'logRequests'>, isTerminal: boolean) {
  const format = logFormat ?? (isTerminal ? 'text' : 'json')
  return { format, requests: logRequests ?? (format === 'text' ? 'failed' : 'all') }
}

/** What an operator command needs to find the data and to treat it as the server does. */
export const dataSettings = [
  'data-dir',
  'database-url',
  'database-without-tls',
  'secret-key-file',
  'heads-file',
  'service-domain',
  'client-secret-v1',
] as const satisfies SettingName[]
export type DataConfig = Pick<
  Config,
  'dataDir' | 'databaseUrl' | 'databaseWithoutTls' | 'secretKeyFile' | 'headsFile' | 'serviceDomain' | 'clientSecretV1'
>

/** The command line or the environment is not as it should be: one line, exit 2. */
export class UsageError extends Error {}

export const variableOf = (name: SettingName): string => `BAILIWICK_${name.toUpperCase().replaceAll('-', '_')}`
const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

export type FlagValues = { readonly [flag: string]: string | boolean | (string | boolean)[] | undefined }
type Environment = { readonly [name: string]: string | undefined }

/** Reads the named settings from flags, else from the environment, else their defaults. */
export function readSettings<const N extends SettingName>(
  names: readonly N[],
  flags: FlagValues,
  env: Environment,
): Pick<Config, Camel<N> & keyof Config> {
  const out: Record<string, unknown> = {}
  for (const name of names) out[camel(name)] = readSetting(name, flags, env)
  return out as Pick<Config, Camel<N> & keyof Config>
}

function readSetting(name: SettingName, flags: FlagValues, env: Environment): unknown {
  const definition = settings[name] as Setting<unknown>
  const given = flags[name]
  if (given !== undefined) return readAll(definition, [given].flat().map(String), `--${name}`)
  for (const variable of [variableOf(name), definition.variable]) {
    const value = variable === undefined ? undefined : env[variable]
    if (variable === undefined || value === undefined || value === '') continue
    const values = definition.repeatable ? value.split(',').map((each) => each.trim()) : [value]
    return readAll(definition, values, variable)
  }
  return definition.fallback
}

function readAll(definition: Setting<unknown>, values: string[], from: string): unknown {
  const read = values.map((value) => {
    const result = definition.read(value)
    if (result instanceof Wrong) {
      // A database address may hold a password, and that of a witness a key.
      const isSecret = definition === settings['database-url'] || definition === settings['systemlog-witness']
      const shown = isSecret ? '' : ` ${JSON.stringify(value)}`
      throw new UsageError(`${from}${shown} is not ${result.expected}`)
    }
    return result
  })
  return definition.repeatable ? read.flat() : read.at(-1)
}

/** The settings of `bailiwick serve`, which must also fit each other. */
export function readServeConfig(flags: FlagValues, env: Environment): Config {
  const config = readSettings(Object.keys(settings) as SettingName[], flags, env)
  if ((config.tlsCert === null) !== (config.tlsKey === null))
    throw new UsageError('--tls-cert and --tls-key must be used together')
  if (config.tlsSelfSigned && config.tlsCert !== null)
    throw new UsageError('--tls-self-signed and --tls-cert cannot be used together')
  assertMailFits(config)
  return config
}

/** The settings by which mail is sent: of the server, and of the command that tests them. */
export const mailSettings = [
  'smtp-host',
  'smtp-port',
  'smtp-tls',
  'smtp-ca',
  'smtp-user',
  'smtp-password-file',
  'mail-from',
] as const satisfies SettingName[]
export type MailConfig = Pick<
  Config,
  'smtpHost' | 'smtpPort' | 'smtpTls' | 'smtpCa' | 'smtpUser' | 'smtpPasswordFile' | 'mailFrom'
>

/** What of the mail settings does not go together. */
export function assertMailFits(config: MailConfig): void {
  if ((config.smtpHost === null) !== (config.mailFrom === null))
    throw new UsageError('--smtp-host and --mail-from must be used together')
  if ((config.smtpUser === null) !== (config.smtpPasswordFile === null))
    throw new UsageError('--smtp-user and --smtp-password-file must be used together')
  if (config.smtpUser !== null && config.smtpHost === null) throw new UsageError('--smtp-user requires --smtp-host')
  if (config.smtpUser !== null && config.smtpTls === 'none' && !isLoopback(config.smtpHost ?? ''))
    throw new UsageError('--smtp-tls none would send the password of --smtp-user unencrypted to another machine')
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.')
