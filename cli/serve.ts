import { relative } from 'node:path'
import { version } from '#kernel/version.ts'
import { type Config, readServeConfig, type SettingName, settings } from '#server/config.ts'
import { type Serving, serve as startServing } from '#server/main.ts'
import type { Command } from './command.ts'
import { print } from './operate.ts'

export const serve: Command = {
  name: 'serve',
  positionals: [],
  summary: 'Start the server, on an embedded PostgreSQL unless --database-url names another.',
  settings: Object.keys(settings) as SettingName[],
  flags: [],
  async run({ flags }) {
    const config = readServeConfig(flags, process.env)
    // Listened to before anything starts: a Ctrl-C during the start still leaves a stopped database behind.
    const asked = askedToStop()
    const serving = await startServing(config)
    print(welcome(config, serving))
    await asked
    print('Stopping: finishing what is under way.')
    await serving.stop()
    return 0
  },
}

const askedToStop = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve())
  })

function welcome(config: Config, serving: Serving): string {
  const tenant = serving.tenants[0]
  const here = relative(process.cwd(), config.dataDir)
  const data = here.startsWith('..') ? config.dataDir : `./${here}`
  const lines: [string, string][] = [
    ['Listening', serving.url],
    ['Data', config.databaseUrl === null ? dataLine(data, config, serving) : 'in the PostgreSQL of --database-url'],
  ]
  if (serving.founded) {
    const { owner, demo } = serving.founded
    lines.push(['Made', `the tenant ${tenant?.domain} with ${owner} as its Super Administrator`])
    if (demo)
      lines.push([
        'Demo',
        `${demo.users} users, ${demo.apps} apps, ${demo.entitlements} entitlements, ${demo.grants} grants`,
      ])
  }
  lines.push([
    'Sign in',
    `npx bailiwick credential create --user ${config.owner} --name first   makes an API credential`,
  ])
  if (serving.newCertificate)
    lines.push(['Trust', `curl --cacert ${serving.newCertificate}, NODE_EXTRA_CA_CERTS=…, or your system's store`])
  if (serving.metricsUrl) lines.push(['Metrics', serving.metricsUrl])
  lines.push([
    'Try',
    `curl ${serving.newCertificate || config.tlsSelfSigned ? '-k ' : ''}${serving.url}/api/openapi.json`,
  ])
  return [`Bailiwick ${version}`, ...lines.map(([label, text]) => `  ${label.padEnd(10)} ${text}`)].join('\n')
}

// As root, PostgreSQL's own files may have to lie elsewhere: then that is told too.
const dataLine = (data: string, config: Config, { postgresHome }: Serving): string =>
  postgresHome && !postgresHome.startsWith(config.dataDir) ? `${data}, and ${postgresHome}` : data
