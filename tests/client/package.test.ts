import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { cleanEnvironment } from '../cli/command.ts'
import { openAccess } from '../fixture/access.ts'
import { later, temporaryFolder } from '../fixture/later.ts'
import { longTest } from '../fixture/long.ts'
import { startServer } from '../fixture/server.ts'
import { signIn } from '../sessions/support.ts'

const root = join(import.meta.dirname, '../..')
const bin = join(root, 'node_modules/.bin')

/** The package as `npm pack` would pack it, installed in a project of its own. */
function install(): string {
  const project = temporaryFolder()
  const installed = join(project, 'node_modules/@bailiwick/client')
  mkdirSync(installed, { recursive: true })
  execFileSync(join(bin, 'tsc'), ['-p', 'client/tsconfig.build.json', '--outDir', join(installed, 'dist')], {
    cwd: root,
  })
  cpSync(join(root, 'client/package.json'), join(installed, 'package.json'))
  mkdirSync(join(project, 'node_modules/@types'), { recursive: true })
  symlinkSync(join(root, 'node_modules/@types/node'), join(project, 'node_modules/@types/node'))
  // What the types of Node import.
  symlinkSync(join(root, 'node_modules/undici-types'), join(project, 'node_modules/undici-types'))
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  return project
}

/** The examples of the page, each with what it prints. */
const examples = [
  ...readFileSync(join(root, 'docs/client.md'), 'utf8').matchAll(/^```ts\n(.*?)^```\n\n```\n(.*?)^```$/gms),
].map(([, code = '', printed = '']) => ({ code, printed }))

longTest('the examples of docs/client.md compile with the package, and print what the page says', async () => {
  const project = install()
  expect(examples.length).toBeGreaterThanOrEqual(6)
  const files = examples.map(({ code }, n) => {
    const file = join(project, `example-${n}.ts`)
    writeFileSync(file, code)
    return file
  })
  const strict = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node']
  execFileSync(join(bin, 'tsc'), [...strict, '--skipLibCheck', 'false', '--lib', 'es2023,dom,esnext', ...files], {
    cwd: project,
    stdio: 'inherit',
  })
  const server = await startServer({ flags: { empty: true } })
  later(() => server.stop())
  const access = await openAccess(server)
  later(() => access.close())
  const { clientId, clientSecret } = await access.makeCaller(['system:owner'])
  const env = { ...cleanEnvironment, BAILIWICK_URL: server.url, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret }
  const person = await signIn(server, access, await access.makeUser({ roles: ['system:user'] }))
  for (const [n, { printed }] of examples.entries()) {
    const running = promisify(execFile)(process.execPath, [files[n] as string], { cwd: project, env })
    // One shows a code, and waits for a person who approves it.
    running.child.stderr?.on('data', (text: string) => {
      const [, userCode] = /user_code=(\S+)/.exec(text) ?? []
      if (userCode) void person.ask('/api/v1/auth/device_requests/approve', { body: { userCode } })
    })
    expect((await running).stdout).toBe(printed)
  }
})

test('the package has no dependencies and the version of the server', () => {
  const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, unknown>
  const manifest = read('client/package.json')
  expect(manifest['dependencies']).toBe(undefined)
  expect(manifest['version']).toBe(read('package.json')['version'])
  expect(dirname(String((manifest['exports'] as Record<string, Record<string, string>>)['.']?.['types']))).toBe(
    './dist',
  )
})
