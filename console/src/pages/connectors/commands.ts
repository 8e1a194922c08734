import type { ConnectorSetting } from '#client/api/types.ts'

export type System = 'linux' | 'macos' | 'windows'
export type Way = 'program' | 'docker'

type Setting = Pick<ConnectorSetting, 'name' | 'environment' | 'isRequired' | 'example'>

export type Run = {
  system: System
  way: Way
  clientId: string
  clientSecret: string
  /** The connector's program, such as `baton-ldap`. */
  command: string
  /** How this page reached the server: `bailiwick.example:8443`. */
  host: string
  /** The server's certificate in PEM, where it is self-signed; empty where others vouch for it. */
  certificate: string
  settings: readonly Setting[]
  isProvisioning: boolean
}

type Variable = readonly [name: string, value: string]

/** The host that a connector calls, from its client id: the part between the @ and the slash. */
const hostIn = (clientId: string): string => clientId.replace(/^.*@/, '').replace(/\/.*$/, '')
const withPort = (host: string): string => (/:\d+$/.test(host) ? host : `${host}:443`)

/** The placeholder, which has to be replaced before the command is run. */
const placeholderOf = ({ example, name }: Setting): string => example || `<${name}>`

/** In the environment: everyone on the machine can see command lines, in `ps`. */
function variablesOf(run: Run): Variable[] {
  const isElsewhere = withPort(hostIn(run.clientId)) !== withPort(run.host)
  return [
    ['BATON_CLIENT_ID', run.clientId],
    ['BATON_CLIENT_SECRET', run.clientSecret],
    ...(isElsewhere ? [['BATON_C1_API_HOST', withPort(run.host)] as const] : []),
    ...(run.isProvisioning ? [['BATON_PROVISIONING', 'true'] as const] : []),
    ...run.settings
      .filter(({ isRequired }) => isRequired)
      .map((setting) => [setting.environment, placeholderOf(setting)] as const),
  ]
}

const isLocal = (host: string): boolean => /^(localhost|127\.|\[::1\])/.test(host)

/** The name of an image as the connectors' makers publish them. */
const imageOf = (command: string): string => `ghcr.io/conductorone/${command}:latest`

const posixQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const powershellQuoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The lines that have a connector run, whole: what they need is in them, but for the program itself. */
export const commandOf = (run: Run): string =>
  [...trustLines(run), ...environmentLines(run), ...startLines(run)].join('\n')

const posixFile = 'bailiwick.pem'
const windowsFile = 'bailiwick.crt'

/** Puts the certificate where the connector finds it. Only on Linux does Go look at SSL_CERT_FILE. */
function trustLines({ certificate, system, way }: Run): string[] {
  const pem = certificate.trim()
  if (pem === '') return []
  if (system === 'windows') {
    const write = `@'\n${pem}\n'@ | Set-Content -Encoding ascii ${windowsFile}`
    return way === 'docker'
      ? [write]
      : [write, `Import-Certificate -FilePath ${windowsFile} -CertStoreLocation Cert:\\CurrentUser\\Root`]
  }
  const write = `cat > ${posixFile} <<'END'\n${pem}\nEND`
  if (way === 'docker') return [write]
  return system === 'linux'
    ? [write, `export SSL_CERT_FILE="$PWD/${posixFile}"`]
    : [write, `security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db ${posixFile}`]
}

const environmentLines = (run: Run): string[] =>
  variablesOf(run).map(([name, value]) =>
    run.system === 'windows' ? `$env:${name} = ${powershellQuoted(value)}` : `export ${name}=${posixQuoted(value)}`,
  )

function startLines(run: Run): string[] {
  const { system, way, command, certificate } = run
  if (way === 'program') return [system === 'windows' ? `.\\${command}.exe` : `./${command}`]
  const file = system === 'windows' ? windowsFile : posixFile
  const parts = [
    `docker run --rm --name ${command}`,
    // The names only: docker takes the values from its environment.
    ...variablesOf(run).map(([name]) => `--env ${name}`),
    ...(certificate.trim() ? [`--volume "\${PWD}/${file}:/${posixFile}:ro"`, `--env SSL_CERT_FILE=/${posixFile}`] : []),
    ...(isLocal(run.host) ? ['--network host'] : []),
    imageOf(command),
  ]
  return [parts.join(system === 'windows' ? ' `\n  ' : ' \\\n  ')]
}
