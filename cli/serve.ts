import { isatty } from 'node:tty'
import { setFlagsFromString } from 'node:v8'
import { canonicalHost } from '#kernel/hosts.ts'
import { clearedLine, writeNow } from '#kernel/log-text.ts'
import { version } from '#kernel/version.ts'
import type { Progress, Serving } from '#server/main.ts'
import { type Config, loggingOf, readServeConfig } from '#server/settings/config.ts'
import { settings } from '#server/settings/settings.ts'
import { type Beginning, begin, openServerLog, workersOf } from '#server/start/begin.ts'
import type { Run } from './command.ts'
import { whenStarterGoes } from './lineage.ts'
import { ownCommand, quoted, shown, withoutPassword } from './own-command.ts'
import { print } from './print.ts'
import { signInUrl, usualUrl } from './tenant-url.ts'

export const serve: Run = async ({ flags }) => {
  const config = readServeConfig(flags, process.env)
  // The reader of our output may have exited, as npm does before us: that must not prevent an orderly shutdown.
  process.stdout.removeAllListeners('error').on('error', () => {})
  keepHeapSmall()
  // Signals are handled before anything starts: a Ctrl-C during the start also leaves the database stopped.
  const asked = askedToStop()
  let isAsked = false
  void asked.then(() => (isAsked = true))
  const begun = await beginning(config)
  const { serveByWorkers, WorkerFailed } = await server()
  const serving = await serveByWorkers(config, {
    ...begun,
    showsConsole: true,
    asked,
    onProgress: showProgress(config),
  }).catch((error: unknown) => {
    // A supervisor or a terminal signals all processes at once: workers that exit before they serve have not failed.
    if (isAsked && error instanceof WorkerFailed && !error.isUsage) return null
    throw error
  })
  if (serving === null) return 0
  const failed = failure(serving)
  print(welcome(config, serving))
  const code = await Promise.race([asked.then(() => 0), failed])
  print('Stopping: finishing requests in progress.')
  await serving.stop()
  return code
}

/** Loaded when the server starts: other commands take half the time without it. */
const server = () => import('#server/main.ts')

/** PostgreSQL is started first, and becomes ready while the program of the server is loaded. */
async function beginning(config: Config): Promise<{ begun: Promise<Beginning> }> {
  const workers = workersOf(config)
  // The primary of several workers adds no fields, but writes to the same pipe as the workers.
  const log = openServerLog(config, workers === 1 ? undefined : () => ({}))
  const waiting = Promise.withResolvers<void>()
  const begun = begin(config, workers, log, { onWait: waiting.resolve })
  await Promise.race([waiting.promise, begun])
  // A failure from here on is reported where `begun` is awaited, once the program is loaded.
  begun.catch(() => {})
  return { begun }
}

/** On a terminal, how much of the demo company is loaded. */
function showProgress(config: Config): Progress {
  const isTerminal = process.stderr.isTTY
  if (!isTerminal || loggingOf(config, isTerminal).format !== 'text') return () => {}
  return (share) => writeNow(`${clearedLine}         loading the demo company: ${Math.round(share * 100)}%`)
}

/**
 * Lets the heap grow by half before it is collected, and not by as much as the machine has room for. While a million users
 * are read one by one, 35 MiB are in use: with V8's default the process took 339 MiB, with this setting 256.
 */
const keepHeapSmall = (): void => setFlagsFromString('--heap-growing-percent=50')

const failureCode = 70
const stopWithinMs = 30_000

/** Becomes the exit code when the process cannot continue after an error: its supervisor starts it again. */
const failure = (serving: Serving): Promise<number> =>
  new Promise((resolve) => {
    serving.guard(() => {
      resolve(failureCode)
      setTimeout(() => process.exit(failureCode), stopWithinMs).unref()
    })
  })

const askedToStop = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve())
    // Node undoes what nohup did to SIGHUP. But a process under nohup, or a supervisor, has no terminal to lose.
    const hasTerminal = [0, 1, 2].some((fd) => isatty(fd))
    process.on('SIGHUP', () => (hasTerminal ? resolve() : undefined))
    whenStarterGoes(resolve)
  })

function welcome(config: Config, serving: Serving): string {
  const lines: [string, string][] = [
    ['Listening', serving.url],
    ['Data', dataLine(config, serving)],
  ]
  if (serving.founded) {
    const { owner, demo } = serving.founded
    lines.push(['Created', `the tenant ${serving.tenants[0]?.domain} with ${owner} as its Super Administrator`])
    if (demo)
      lines.push([
        'Demo',
        `${demo.users} users, ${demo.apps} apps, ${demo.entitlements} entitlements, ${demo.grants} grants`,
      ])
  }
  const password =
    config.databaseUrl !== null && withoutPassword(config.databaseUrl) !== config.databaseUrl
      ? 'The database password is not shown: set PGPASSWORD or DATABASE_URL.'
      : null
  const link = `${ownCommand()} sign-in-link --user ${serving.owner ?? 'EMAIL'}${urlFlagFor(serving)}`
  if (serving.founded)
    lines.push(
      ['Sign in', signInUrl(serving.url, serving.founded.signInToken)],
      ['', 'This link works once, within 15 minutes. To create another one, run:'],
      ['', withData(link, config, serving)],
    )
  else lines.push(['Sign in', withData(link, config, serving)])
  lines.push([
    'API',
    withData(`${ownCommand()} credential create --user ${serving.owner ?? 'EMAIL'} --name first`, config, serving),
  ])
  if (password) lines.push(['', password])
  if (serving.newCertificate)
    lines.push(['Trust', `curl --cacert ${serving.newCertificate}, NODE_EXTRA_CA_CERTS=…, or your system's store`])
  if (serving.metricsUrl) lines.push(['Metrics', serving.metricsUrl])
  lines.push(['Try', tryCommand(config, serving)])
  return [`Bailiwick ${version}`, ...lines.map(([label, text]) => `  ${label.padEnd(10)} ${text}`)].join('\n')
}

// As root, PostgreSQL's own files may have to be in another folder, which is then shown too.
function dataLine({ databaseUrl, dataDir }: Config, { postgresHome }: Serving): string {
  if (databaseUrl !== null) return 'in the PostgreSQL of --database-url'
  return postgresHome && !postgresHome.startsWith(dataDir) ? `${shown(dataDir)}, and ${postgresHome}` : shown(dataDir)
}

const isServedHere = ({ url, tenants }: Serving): boolean =>
  canonicalHost(new URL(url).host) === canonicalHost(tenants[0]?.domain ?? '')

/** For a tenant that is served here at another address than its domain: by HTTPS on localhost, for example. */
const urlFlagFor = (serving: Serving): string =>
  isServedHere(serving) && serving.url !== usualUrl(serving.tenants[0]?.domain ?? '') ? ` --url ${serving.url}` : ''

/** The command with the flags that it needs to find the same data, ready to be copied. */
function withData(command: string, config: Config, { tenants }: Serving): string {
  const flags = [
    tenants.length > 1 ? `--tenant ${tenants[0]?.domain}` : '',
    config.dataDir === settings['data-dir'].fallback ? '' : `--data-dir ${quoted(shown(config.dataDir))}`,
    config.databaseUrl === null ? '' : `--database-url ${quoted(withoutPassword(config.databaseUrl))}`,
    config.secretKeyFile === null ? '' : `--secret-key-file ${quoted(shown(config.secretKeyFile))}`,
  ]
  return [command, ...flags].filter((flag) => flag !== '').join(' ')
}

function tryCommand({ tlsSelfSigned }: Config, serving: Serving): string {
  const host = isServedHere(serving) ? '' : `-H 'Host: ${serving.tenants[0]?.domain ?? ''}'`
  return ['curl', tlsSelfSigned ? '-k' : '', host, `${serving.url}/api/openapi.json`]
    .filter((word) => word !== '')
    .join(' ')
}
