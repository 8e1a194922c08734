import { execFile } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { commandOf, type Run } from '../../console/src/pages/connectors/commands.ts'
import { axisOf, niceTop } from '../../console/src/pages/connectors/sync-axis.ts'

const run = promisify(execFile)
const certificate = '-----BEGIN CERTIFICATE-----\nAAAA\nBBBB\n-----END CERTIFICATE-----\n'
const usual: Run = {
  system: 'linux',
  way: 'program',
  clientId: '00ff@access.example:8443/connector',
  clientSecret: "secret-token:a:v1:x'y",
  command: 'baton-test',
  host: 'access.example:8443',
  certificate,
  settings: [
    { name: 'dsn', environment: 'BATON_DSN', isRequired: true, example: '' },
    { name: 'schemas', environment: 'BATON_SCHEMAS', isRequired: false, example: 'public' },
  ],
  isProvisioning: true,
}

/** Prints what it was started with, as a connector sees it. */
const program = `#!/bin/sh
echo "arguments: $*"
env | grep -E '^(BATON_|SSL_CERT_FILE)' | sort
`

describe('the command that runs a connector', () => {
  test.each(['program', 'docker'] as const)('works as it is printed: %s', async (way) => {
    const folder = await mkdtemp(join(tmpdir(), 'bailiwick-command-'))
    const name = way === 'program' ? 'baton-test' : 'docker'
    await writeFile(join(folder, name), program, { mode: 0o755 })
    const printed = commandOf({ ...usual, way, host: 'localhost:9443' })
    const env = { PATH: `${folder}:/usr/bin:/bin` }
    const { stdout } = await run('/bin/sh', ['-c', printed], { cwd: folder, env })
    const lines = stdout.trim().split('\n')
    const told = [
      'BATON_C1_API_HOST=localhost:9443',
      `BATON_CLIENT_ID=${usual.clientId}`,
      `BATON_CLIENT_SECRET=${usual.clientSecret}`,
      'BATON_DSN=<dsn>',
      'BATON_PROVISIONING=true',
    ]
    const started =
      way === 'program'
        ? ''
        : `run --rm --name baton-test${told.map((each) => ` --env ${each.split('=')[0]}`).join('')}`
    expect(await readFile(join(folder, 'bailiwick.pem'), 'utf8')).toBe(certificate)
    // Docker gets names, and passes on the values of its own environment: no secret is among its arguments.
    const docker = `arguments: ${started} --volume ${folder}/bailiwick.pem:/bailiwick.pem:ro --env SSL_CERT_FILE=/bailiwick.pem --network host ghcr.io/conductorone/baton-test:latest`
    const [first = '', ...environment] = lines
    expect(environment).toEqual(way === 'program' ? [...told, `SSL_CERT_FILE=${folder}/bailiwick.pem`] : told)
    const words = (way === 'program' ? 'arguments: ' : docker).split(' ')
    expect(first.split(' ').toSorted()).toEqual(words.toSorted())
  })

  test('names the host only where the client id has another, and no certificate where others vouch for it', () => {
    const plain = commandOf({ ...usual, certificate: '', settings: [], isProvisioning: false })
    expect(plain.split('\n')).toEqual([
      `export BATON_CLIENT_ID='${usual.clientId}'`,
      `export BATON_CLIENT_SECRET='secret-token:a:v1:x'\\''y'`,
      './baton-test',
    ])
    const usualPort = { clientId: '00ff@access.example/connector', host: 'access.example' }
    expect(commandOf({ ...usual, ...usualPort })).not.toContain('API_HOST')
    expect(commandOf({ ...usual, ...usualPort, host: 'access.example:443' })).not.toContain('API_HOST')
    expect(commandOf({ ...usual, ...usualPort, host: 'access.example:8443' })).toContain("='access.example:8443'")
  })

  test('has Windows and macOS trust the certificate by their own stores', () => {
    const windows = commandOf({ ...usual, system: 'windows' })
    expect(windows).toContain(`@'\n${certificate.trim()}\n'@ | Set-Content`)
    expect(windows).toContain('Import-Certificate -FilePath bailiwick.crt -CertStoreLocation Cert:\\CurrentUser\\Root')
    expect(windows).toContain(`$env:BATON_CLIENT_SECRET = 'secret-token:a:v1:x''y'`)
    expect(windows.split('\n').at(-1)).toBe('.\\baton-test.exe')
    expect(commandOf({ ...usual, system: 'windows', way: 'docker' })).toMatch(/`\n {2}ghcr\.io\/.*$/)
    const mac = commandOf({ ...usual, system: 'macos' })
    expect(mac).toContain('security add-trusted-cert -r trustRoot')
    expect(mac).not.toContain('SSL_CERT_FILE')
  })
})

test('the axis of the chart of syncs is linear, ends at a round number, and cuts a bar that dwarfs the others', () => {
  expect([0, 1, 3, 17, 40, 41, 99, 100, 101].map(niceTop)).toEqual([1, 1, 4, 20, 40, 50, 100, 100, 200])
  expect(axisOf([3, 8, 5])).toEqual({ top: 10, cut: null })
  expect(axisOf([10_000, 8, 5])).toEqual({ top: 20, cut: 10_000 })
  expect(axisOf([10_000])).toEqual({ top: 10_000, cut: null })
  expect(axisOf([0, 0])).toEqual({ top: 1, cut: null })
})
