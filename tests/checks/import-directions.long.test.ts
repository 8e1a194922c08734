import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Inspection, inspect } from '../../scripts/check-directions.ts'
import { rooms } from '../../scripts/rooms.ts'
import { longTest } from '../fixture/long.ts'

const here = join(import.meta.dirname, '../..')
const { imports } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')) as { imports: Record<string, string> }

type Tree = Record<string, string>

/** A tree with these rooms. Each imports every room above it, and a file of every layer imports all that it may. */
const treeWith = (names: readonly string[]): Tree => ({
  'package.json': JSON.stringify({
    type: 'module',
    imports,
    dependencies: { shipped: '1.0.0' },
    optionalDependencies: { platform: '1.0.0' },
    devDependencies: { tool: '1.0.0' },
  }),
  'bin/bailiwick.mjs': "import '../cli/main.ts'",
  'cli/main.ts': `
    import '#server/main.ts'
    import '#server/settings/config.ts'
    import '#database/open.ts'
    import '#kernel/ids.ts'
    import '#rooms/identity/users/index.ts'
    import './words.ts'`,
  'cli/words.ts': '',
  'server/main.ts': `
    import './settings/config.ts'
    import './demo/company.ts'
    import './registry/routes.ts'
    import './secrets/secret-key.ts'
    import './settings/mail-settings.ts'
    import '#http/mount.ts'
    import '#server/engine/run.ts'
    import '#database/open.ts'
    ${names.map((room) => `import '#rooms/${room}/index.ts'`).join('\n')}`,
  'server/registry/routes.ts':
    "import '#rooms/identity/users/index.ts'\nimport '#rooms/foundation/tenants/routes.ts'\nimport './published.ts'",
  'server/registry/published.ts': "import '#kernel/ids.ts'",
  'server/authority/may.ts': "import '#kernel/ids.ts'\nimport './sight/index.ts'",
  'server/authority/sight/index.ts': "import './store.ts'",
  'server/authority/sight/store.ts': '',
  'server/secrets/secret-key.ts': "import '#kernel/sql.ts'\nimport '#server/settings/config.ts'",
  'server/settings/mail-settings.ts': "import '#kernel/sql.ts'\nimport './config.ts'",
  'server/settings/config.ts': "import '#kernel/ids.ts'",
  'server/kernel/ids.ts': "import 'node:crypto'\nimport 'shipped'\nimport 'platform'\nimport './sql.ts'",
  'server/kernel/sql.ts': '',
  'server/kernel/routes.ts': '',
  'server/http/mount.ts': "import '#kernel/ids.ts'\nimport './errors.ts'",
  'server/http/errors.ts': '',
  'server/engine/run.ts': "import '#kernel/ids.ts'\nimport './claim.ts'",
  'server/engine/claim.ts': '',
  'server/database/open.ts': "import '#kernel/sql.ts'\nimport './embedded/embed.ts'",
  'server/database/embedded/embed.ts': '',
  // Folders of a room: one imports the other, and both the room's own files.
  'server/rooms/identity/users/one/mails.ts': "import '../decide.ts'",
  'server/rooms/identity/users/two/mails.ts': "import '../decide.ts'",
  'server/rooms/identity/users/three/names.ts': "import '../one/mails.ts'",
  'server/demo/company.ts': "import '#kernel/ids.ts'\nimport '#rooms/identity/users/index.ts'\nimport './names.ts'",
  'server/demo/names.ts': '',
  'console/src/main.tsx': "import { App } from './app.tsx'\nexport const main = <App />",
  'console/src/app.tsx': 'export const App = () => <p>from server</p>',
  'console/src/client/call.ts': "import '../app.tsx'\nimport '#client/bailiwick.ts'",
  'console/src/shell/shell.tsx': "import '../parts/name.tsx'\nimport '../client/call.ts'",
  'console/src/pages/apps/app.tsx':
    "import '../../shell/shell.tsx'\nimport '../../parts/name.tsx'\nimport './apps.tsx'",
  'console/src/pages/apps/apps.tsx': "import '../../client/call.ts'",
  'console/src/pages/users/user.tsx': '',
  'console/src/pages/tasks/task.tsx': "import '../apps/app.tsx'",
  'console/src/parts/name.tsx': "import '../client/call.ts'",
  'client/src/bailiwick.ts': "import { send } from './send.ts'",
  'client/src/send.ts': '',
  'tests/world.ts': "import '#rooms/identity/users/store.ts'",
  'scripts/make.ts': '',
  'bench/pages.ts': '',
  ...Object.fromEntries(['shipped', 'platform', 'tool'].flatMap(packageFiles)),
  ...Object.fromEntries(names.flatMap((room, place) => roomFiles(room, names.slice(0, place)))),
})

const packageFiles = (name: string): [path: string, text: string][] => [
  [`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' })],
  [`node_modules/${name}/index.js`, ''],
]

function roomFiles(room: string, others: readonly string[]): [path: string, text: string][] {
  const above = others.map((other) => `import '#rooms/${other}/index.ts'`)
  const files: Tree = {
    'index.ts': "export * from './routes.ts'\nexport * from './actions.ts'",
    'routes.ts': "import './actions.ts'\nimport './view.ts'\nexport {}",
    'actions.ts': `${above.join('\n')}\nimport './decide.ts'\nimport './store.ts'\nimport './view.ts'\nexport {}`,
    'decide.ts': "import '#kernel/ids.ts'",
    'store.ts':
      "import '#kernel/sql.ts'\nimport '#authority/may.ts'\nimport '#authority/sight/index.ts'\nimport './decide.ts'",
    'view.ts': "import './decide.ts'",
  }
  return Object.entries(files).map(([name, text]) => [`server/rooms/${room}/${name}`, text])
}

const clean = treeWith(rooms)
const small = treeWith(['foundation/tenants', 'identity/users'])

function grow(tree: Tree): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'bailiwick-directions-')))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

/** The small tree with a line more in each of these files. */
function plant(lines: readonly (readonly [file: string, line: string])[]): Promise<Inspection> {
  const tree = { ...small }
  for (const [file, line] of lines) tree[file] = `${line}\n${tree[file] ?? ''}`
  return inspect(grow(tree))
}

test('a tree that keeps the rules is inspected whole and reports nothing', async () => {
  const { violations, inspected, missed } = await inspect(grow(clean))
  expect(violations).toEqual([])
  expect(missed).toEqual([])
  expect(inspected).toHaveLength(Object.keys(clean).filter((path) => /^(?:server|cli)\/.*\.ts$/.test(path)).length)
})

test('a file that cannot be parsed fails the inspection', async () => {
  await expect(plant([['server/kernel/sql.ts', 'const = import']])).rejects.toThrow('in server/kernel/sql.ts')
})

// Rule, file, and the line that is planted in it. No two lines are the same import of the same file.
const planted: [rule: string, file: string, line: string][] = [
  ['kernel-only-kernel', 'server/kernel/planted-1.ts', "import '#rooms/identity/users/index.ts'"],
  ['kernel-only-kernel', 'server/kernel/planted-2.ts', "import type { User } from '../rooms/identity/users/index.ts'"],
  [
    'kernel-only-kernel',
    'server/kernel/planted-3.ts',
    "const user: import('../rooms/identity/users/index.ts').User = 1",
  ],
  ['kernel-only-kernel', 'server/kernel/planted-4.ts', "await import('#rooms/identity/users/index.ts')"],
  ['kernel-only-kernel', 'server/kernel/planted-5.ts', "export * from '#http/errors.ts'"],
  ['settings-only-kernel', 'server/settings/config.ts', "import '#database/open.ts'"],
  ['published-only-kernel', 'server/registry/published.ts', "import '#rooms/identity/users/index.ts'"],
  ['published-only-kernel', 'server/registry/published.ts', "import '#database/open.ts'"],
  ['secrets-only-settings', 'server/secrets/secret-key.ts', "import '#database/open.ts'"],
  ['settings-only-kernel', 'server/settings/mail-settings.ts', "import '#database/open.ts'"],
  ['database-only-kernel', 'server/database/embedded/embed.ts', "import '#server/settings/config.ts'"],
  ['http-only-kernel', 'server/http/errors.ts', "import '#rooms/identity/users/index.ts'"],
  ['http-only-kernel', 'server/http/errors.ts', "import '#server/engine/run.ts'"],
  ['engine-only-kernel', 'server/engine/claim.ts', "import '#rooms/identity/users/index.ts'"],
  ['engine-only-kernel', 'server/engine/claim.ts', "import '#database/open.ts'"],
  ['rooms-only-kernel', 'server/rooms/identity/users/actions.ts', "import '#http/mount.ts'"],
  ['rooms-only-kernel', 'server/rooms/identity/users/store.ts', "import '#database/open.ts'"],
  ['rooms-only-kernel', 'server/rooms/identity/users/actions.ts', "import '#server/settings/config.ts'"],
  ['rooms-only-kernel', 'server/rooms/identity/users/view.ts', "import '#authority/sight/store.ts'"],
  ['authority-only-kernel', 'server/authority/may.ts', "import '#rooms/identity/users/index.ts'"],
  ['authority-only-kernel', 'server/authority/sight/store.ts', "import '#database/open.ts'"],
  [
    'permissions-in-authority',
    'server/rooms/identity/users/may.ts',
    "export const may = (actor) => actor.permissions.has('users.read')",
  ],
  [
    'permissions-in-authority',
    'server/http/may.ts',
    'export const may = ({ permissionsOnOwned }) => permissionsOnOwned.has(1)',
  ],
  [
    'routes-name-rules',
    'server/rooms/identity/users/routes-open.ts',
    "import { type At, route } from '#kernel/routes.ts'",
  ],
  [
    'proof-made-once',
    'server/rooms/identity/sessions/routes/any.ts',
    "export const user = identified(someone, 'link')",
  ],
  ['proof-made-once', 'server/rooms/identity/users/routes.ts', "export const c = provenCause<'operator'>({})"],
  ['workers-only-kernel', 'server/workers/primary.ts', "import '#database/open.ts'"],
  ['workers-only-kernel', 'server/workers/worker.ts', "import '#server/main.ts'"],
  ['demo-only-doors', 'server/demo/names.ts', "import '#rooms/identity/users/store.ts'"],
  ['demo-only-doors', 'server/demo/names.ts', "import '#http/mount.ts'"],
  ['cli-only-doors', 'cli/words.ts', "import '#rooms/identity/users/store.ts'"],
  ['cli-only-doors', 'cli/words.ts', "import '../server/http/mount.ts'"],
  ['room-door', 'server/rooms/identity/users/actions.ts', "import '../../foundation/tenants/store.ts'"],
  ['room-door', 'server/rooms/identity/users/actions.ts', "import '#rooms/foundation/tenants/actions.ts'"],
  ['room-decide', 'server/rooms/identity/users/decide-names.ts', "import './store.ts'"],
  ['room-decide', 'server/rooms/identity/users/decide/names.ts', "import '../actions.ts'"],
  ['room-decide', 'server/rooms/identity/users/name-decide.ts', "import '#rooms/identity/users/routes.ts'"],
  ['room-store', 'server/rooms/identity/users/store/names.ts', "import '../actions.ts'"],
  ['room-store', 'server/rooms/identity/users/store-names.ts', "import './routes.ts'"],
  ['room-view', 'server/rooms/identity/users/view-names.ts', "import './store.ts'"],
  ['room-view', 'server/rooms/identity/users/view-names.ts', "import './actions.ts'"],
  ['room-actions', 'server/rooms/identity/users/actions-names.ts', "import './routes.ts'"],
  ['sub-rooms-mutual', 'server/rooms/identity/users/one/names.ts', "import '../two/mails.ts'"],
  ['sub-rooms-mutual', 'server/rooms/identity/users/two/names.ts', "import type { Mail } from '../one/mails.ts'"],
  ['place-unknown', 'server/rooms/misc/index.ts', ''],
  ['place-unknown', 'server/rooms/misc/users/index.ts', ''],
  ['place-unknown', 'server/rooms/identity/misc/index.ts', ''],
  ['place-unknown', 'server/rooms/records/users/index.ts', ''],
  ['place-unknown', 'server/rooms/identity/shared.ts', ''],
  ['place-unknown', 'server/rooms/shared.ts', ''],
  ['place-unknown', 'server/utils/strings.ts', ''],
  ['place-unknown', 'server/helpers.ts', ''],
  ['server-only-server', 'server/kernel/sql.ts', "import '../../cli/words.ts'"],
  ['server-only-server', 'server/main.ts', "import '../tests/world.ts'"],
  ['server-only-server', 'server/main.ts', "import '../bench/pages.ts'"],
  ['server-only-server', 'server/rooms/identity/users/actions.ts', "import '../../../../scripts/make.ts'"],
  ['server-only-server', 'server/http/errors.ts', "import '../../console/src/client/call.ts'"],
  ['server-only-server', 'server/http/errors.ts', "import '../../client/src/send.ts'"],
  ['cli-only-shipped', 'cli/words.ts', "import '../tests/world.ts'"],
  ['console-only-console', 'console/src/app.tsx', "import { newId } from '#kernel/ids.ts'"],
  [
    'console-only-console',
    'console/src/app.tsx',
    "import type { User } from '../../server/rooms/identity/users/index.ts'",
  ],
  ['console-only-console', 'console/src/client/call.ts', "export * from '../../../cli/words.ts'"],
  ['console-only-console', 'console/src/client/call.ts', "await import('../../../server/settings/config.ts')"],
  ['console-only-console', 'console/src/client/call.ts', "import '../../../client/src/send.ts'"],
  ['console-order', 'console/src/parts/name.tsx', "import { Apps } from '../pages/apps/apps.tsx'"],
  ['console-order', 'console/src/client/call.ts', "import '../parts/name.tsx'"],
  ['console-order', 'console/src/shell/shell.tsx', "import '../pages/apps/apps.tsx'"],
  ['console-areas-mutual', 'console/src/pages/apps/one.tsx', "import '../users/user.tsx'"],
  ['console-areas-mutual', 'console/src/pages/users/two.tsx', "import type { App } from '../apps/app.tsx'"],
  ['client-alone', 'client/src/send.ts', "import { newId } from '#kernel/ids.ts'"],
  ['client-alone', 'client/src/send.ts', "import 'shipped'"],
  ['client-alone', 'client/src/send.ts', "export * from '../../server/kernel/ids.ts'"],
  ['client-alone', 'client/src/send.ts', "await import('node:crypto')"],
  ['no-dev-dependency', 'server/kernel/sql.ts', "import 'tool'"],
  ['no-dev-dependency', 'cli/words.ts', "import 'tool'"],
  ['no-dev-dependency', 'bin/bailiwick.mjs', "import 'tool'"],
  ['no-unresolved', 'server/kernel/sql.ts', "import './gone.ts'"],
  ['no-unresolved', 'server/kernel/sql.ts', "import '#attic/gone.ts'"],
]

/** What was found, but for cycles: of lines that were planted together, some close one. */
const found = ({ violations }: Inspection): string[] =>
  violations
    .filter(({ rule }) => rule !== 'no-cycle')
    .map(({ rule, from }) => `${rule}: ${from}`)
    .toSorted()

test('every planted violation is reported as that rule, and no other is', async () => {
  const inspection = await plant(planted.map(([, file, line]) => [file, line]))
  expect(inspection.missed).toEqual([])
  expect(found(inspection)).toEqual(planted.map(([rule, file]) => `${rule}: ${file}`).toSorted())
})

test.each(["import './ids.ts'", "import type { Id } from './ids.ts'"])(
  'two files with %s are a cycle',
  async (line) => {
    const { violations } = await plant([['server/kernel/sql.ts', line]])
    expect([...new Set(violations.map(({ rule }) => rule))]).toEqual(['no-cycle'])
  },
)

// In files of their own, which nothing imports: no cycle comes of it.
test('no room may import any room below it', async () => {
  const below = (room: string): string[] => rooms.slice(rooms.indexOf(room) + 1)
  const lines = rooms.slice(0, -1).map((room) => {
    const imported = below(room).map((other) => `import '#rooms/${other}/index.ts'`)
    return [`server/rooms/${room}/planted.ts`, imported.join('\n')] as const
  })
  const doors = Object.fromEntries(rooms.map((room) => [`server/rooms/${room}/index.ts`, 'export {}']))
  const { violations } = await inspect(grow({ ...small, ...doors, ...Object.fromEntries(lines) }))
  const wanted = rooms.flatMap((room) => below(room).map((other) => `room-order-${room}: ${other}`))
  expect(
    violations.map(({ rule, to }) => `${rule}: ${to.replace(/^server\/rooms\/(.*)\/index\.ts$/, '$1')}`).toSorted(),
  ).toEqual(wanted.toSorted())
})

longTest('this tree keeps the rules, and every file of it was inspected', async () => {
  const { violations, inspected, missed } = await inspect(here)
  expect(violations).toEqual([])
  expect(missed).toEqual([])
  expect(inspected).toContain('server/kernel/refusals.ts')
})
