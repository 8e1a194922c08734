/**
 * Which files may import which. Violations of the rules are planted in tests/checks/import-directions.long.test.ts: a rule
 * that no longer finds them after a change here fails there.
 */
import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { cruise, getAvailableTranspilers, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser'
import { rooms } from './rooms.ts'

/**
 * Everything that may be directly under server/. Anything else would escape the rules below. main.ts, `start/` and
 * `registry/`, where everything comes together, may import all of server/.
 */
const places = new Set([
  'main.ts',
  ...['start/', 'registry/', 'settings/', 'secrets/'],
  ...['kernel/', 'authority/', 'rooms/', 'http/', 'engine/', 'database/', 'demo/', 'workers/'],
])

const kernel = '^server/kernel/'
const doors = '^server/rooms/[^/]+/[^/]+/index\\.ts$'
/** The rules, the functions that apply them, and the index files of its folders. */
const authority = '^server/authority/(?:[^/]+|[^/]+/index)\\.ts$'

/** `from` may import, of what is under server/, only `may`. */
const only = (name: string, from: string, may: string[], comment: string): IForbiddenRuleType => ({
  name,
  severity: 'error',
  comment,
  from: { path: from },
  to: { path: '^server/', pathNot: may },
})

/** A layer of a room: `store.ts`, `store/grants.ts`, `grants-store.ts`, `store-grants.ts`. */
const layer = (names: string): string => `(?:|.*[/-])(?:${names})(?:|-[^/]*)(?:\\.ts$|/)`

/** In one room, the layer `from` imports none of the layers `to`. */
const below = (from: string, to: string): IForbiddenRuleType => ({
  name: `room-${from}`,
  severity: 'error',
  comment: `in a room: routes -> actions -> decide, store, view; so ${from} imports no ${to.replaceAll('|', ', ')}`,
  from: { path: `^server/rooms/([^/]+/[^/]+)/${layer(from)}` },
  to: { path: `^server/rooms/$1/${layer(to)}` },
})

const order = (room: string, place: number): IForbiddenRuleType[] => {
  const beneath = rooms.slice(place + 1)
  if (beneath.length === 0) return []
  return [
    {
      name: `room-order-${room}`,
      severity: 'error',
      comment: `${room} may import only the rooms above it: ${rooms.slice(0, place).join(', ') || 'none'}`,
      from: { path: `^server/rooms/${room}/` },
      to: { path: `^server/rooms/(?:${beneath.join('|')})/` },
    },
  ]
}

const rules: IForbiddenRuleType[] = [
  only('kernel-only-kernel', kernel, [kernel], 'the kernel stands on nothing of ours'),
  only(
    'settings-only-kernel',
    '^server/settings/',
    [kernel, '^server/settings/'],
    'settings are read before anything else exists',
  ),
  only(
    'published-only-kernel',
    '^server/registry/published\\.ts$',
    [kernel],
    'what is published is data: its reader imports the kernel only',
  ),
  only(
    'secrets-only-settings',
    '^server/secrets/',
    [kernel, '^server/settings/'],
    'secrets import kernel and settings; they are given the rows to seal',
  ),
  only(
    'database-only-kernel',
    '^server/database/',
    [kernel, '^server/database/'],
    'database imports kernel and itself',
  ),
  only('http-only-kernel', '^server/http/', [kernel, '^server/http/'], 'http knows no domain nouns'),
  only('engine-only-kernel', '^server/engine/', [kernel, '^server/engine/'], 'engine knows no domain nouns'),
  only(
    'rooms-only-kernel',
    '^server/rooms/',
    [kernel, authority, '^server/rooms/'],
    'rooms import kernel, authority and rooms above them',
  ),
  only(
    'authority-only-kernel',
    '^server/authority/',
    [kernel, '^server/authority/'],
    'authority stands between the kernel and the rooms: it is given what it needs of rooms',
  ),
  only(
    'workers-only-kernel',
    '^server/workers/',
    [kernel, '^server/settings/', '^server/workers/'],
    'workers import kernel, settings and themselves',
  ),
  only('demo-only-doors', '^server/demo/', [kernel, doors, '^server/demo/'], "demo goes through the rooms' index.ts"),
  only(
    'cli-only-doors',
    '^cli/',
    [
      kernel,
      doors,
      '^server/main\\.ts$',
      '^server/start/(?:begin|open-data|world)\\.ts$',
      '^server/(?:settings|database)/',
    ],
    "operator commands use main, what opens the data, settings, database, kernel and the rooms' index.ts",
  ),
  only(
    'begin-is-small',
    '^server/start/(?:begin|open-data|ports)\\.ts$',
    [
      kernel,
      '^server/start/(?:begin|open-data|ports)\\.ts$',
      '^server/(?:settings|database|workers)/',
      '^server/http/guards/limits\\.ts$',
    ],
    'what opens the data is loaded before the rest of the program, and needs none of it',
  ),
  {
    name: 'room-door',
    severity: 'error',
    comment: 'a room has one door: its index.ts',
    from: { path: '^server/rooms/([^/]+/[^/]+)/' },
    to: { path: '^server/rooms/', pathNot: ['^server/rooms/$1/', doors] },
  },
  ...rooms.flatMap(order),
  below('decide', 'store|actions|routes'),
  below('store', 'actions|routes'),
  below('view', 'store|actions|routes'),
  below('actions', 'routes'),
  {
    name: 'server-only-server',
    severity: 'error',
    comment: 'nothing in server imports cli, console, client, tests, bench or scripts',
    from: { path: '^server/' },
    to: { path: '^(?:cli|console|client|tests|bench|scripts)/' },
  },
  {
    name: 'cli-only-shipped',
    severity: 'error',
    comment: 'cli imports neither console, nor client, nor what is not shipped',
    from: { path: '^cli/' },
    to: { path: '^(?:console|client|tests|bench|scripts)/' },
  },
  {
    name: 'no-cycle',
    severity: 'error',
    comment: 'two files that import each other are one file; the swc parser sees `import type` too',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-dev-dependency',
    severity: 'error',
    comment: 'what runs in production is in dependencies or optionalDependencies',
    from: { path: '^(?:server|cli|bin)/' },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'no-unresolved',
    severity: 'error',
    comment: 'an import that leads nowhere (or an alias the checker cannot follow) would pass every other rule',
    from: {},
    to: { couldNotResolve: true },
  },
]

export type Violation = { rule: string; from: string; to: string; why: string }
export type Inspection = {
  violations: Violation[]
  /** The files under server/ and cli/ that were checked, and those on the disk that were not. */
  inspected: string[]
  missed: string[]
}

const sources = (root: string, pattern: string): string[] =>
  globSync(pattern, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.includes('node_modules/'))
    .toSorted()

const unplaced = (files: string[]): Violation[] =>
  files.flatMap((file) => {
    const [top, place = '', wing = '', room = '', inside] = file.split('/')
    if (top !== 'server') return []
    const known = places.has(wing === '' ? place : `${place}/`)
    if (known && (place !== 'rooms' || (inside !== undefined && rooms.includes(`${wing}/${room}`)))) return []
    const why = 'scripts/check-directions.ts lists the places under server/ and the rooms; put it in its place there'
    return [{ rule: 'place-unknown', from: file, to: '', why }]
  })

/** The folder of a room that a file is in, as in `rules/automation/plan`; undefined for the room's own files. */
const subRoomOf = (file: string): string | undefined => /^server\/rooms\/([^/]+\/[^/]+\/[^/]+)\//.exec(file)?.[1]

/** Two folders of a room that import each other: neither can be read, or changed, without the other. */
function mutual(modules: ICruiseResult['modules']): Violation[] {
  const imports = modules
    .flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => ({ from: source, to: resolved })))
    .map((each) => ({ ...each, folders: [subRoomOf(each.from), subRoomOf(each.to)] as const }))
    .filter(({ folders: [from, to] }) => from && to && from !== to && posix.dirname(from) === posix.dirname(to))
  const pairs = new Set(imports.map(({ folders }) => folders.join(' ')))
  return imports
    .filter(({ folders: [from, to] }) => pairs.has(`${to} ${from}`))
    .map(({ from, to }) => ({ rule: 'sub-rooms-mutual', from, to, why: 'two folders of a room import each other' }))
}

// The console is .tsx, which dependency-cruiser's swc parser refuses (it never sets `tsx: true`), so its imports are read
// from the text, and those of the client too. All that matters is whether one leaves its folder: the console may use the
// client, and the client, which is a separate package without dependencies, nothing at all.
const escapes = (root: string): Violation[] => [
  ...importsIn(root, 'console/**/*.{ts,tsx}')
    .filter(({ from, to }) => /^#(?:kernel|rooms|http|database|server)\//.test(to) || leaves(from, to))
    .map((each) => ({ ...each, rule: 'console-only-console', why: 'the console speaks HTTP only, by the client' })),
  ...importsIn(root, 'client/src/**/*.ts')
    .filter(({ from, to }) => !to.startsWith('.') || !posix.join(posix.dirname(from), to).startsWith('client/src/'))
    .map((each) => ({ ...each, rule: 'client-alone', why: 'the client is a package that imports only itself' })),
]

/** What a file of the console belongs to: an area of pages, as in `pages/apps`, or a part of the console, as in `shell`. */
const areaOf = (file: string): string => /^console\/src\/((?:pages\/)?[^/]+)\//.exec(file)?.[1] ?? ''

/** What the console is made of, from the bottom: none imports one above it. */
const consoleOrder = ['client', 'parts', 'shell', 'pages']

function consoleDirections(root: string): Violation[] {
  const imports = importsIn(root, 'console/src/**/*.{ts,tsx}')
    .filter(({ to }) => to.startsWith('.'))
    .map(({ from, to }) => ({ from, to: posix.join(posix.dirname(from), to) }))
    .map((each) => ({ ...each, areas: [areaOf(each.from), areaOf(each.to)] as const }))
    .filter(({ areas: [from, to] }) => from !== '' && to !== '' && from !== to)
  const pairs = new Set(imports.map(({ areas }) => areas.join(' ')))
  const floorOf = (area: string): number => consoleOrder.indexOf(area.replace(/\/.*/, ''))
  return imports.flatMap(({ from, to, areas }) => {
    if (floorOf(areas[0]) < floorOf(areas[1]))
      return [{ rule: 'console-order', from, to, why: `in the console, from the bottom: ${consoleOrder.join(', ')}` }]
    const isMutual = pairs.has(areas.toReversed().join(' ')) && floorOf(areas[0]) === floorOf(areas[1])
    return isMutual ? [{ rule: 'console-areas-mutual', from, to, why: 'two areas of pages import each other' }] : []
  })
}

/** What only some files may do, read from the text: each would be a second place that decides who may do what. */
type Decision = { rule: string; is: RegExp; within: string; except?: RegExp; why: string }
const decisions: readonly Decision[] = [
  {
    rule: 'permissions-in-authority',
    is: /\bpermissions(?:OnOwned|Everywhere)?\s*\??\.\s*has\b/,
    within: 'server/{rooms,http,engine,start,registry,workers,demo}/**/*.ts',
    why: 'whether a caller may do something is asked by the name of a rule: server/authority/may.ts',
  },
  {
    rule: 'routes-name-rules',
    is: /import\s*\{[^}]*\broute\b[^}]*\}\s*from\s*'#kernel\/routes\.ts'/,
    within: 'server/{rooms,registry}/**/*.ts',
    why: 'routes of rooms name the rule that says who may call them: server/authority/route.ts',
  },
  {
    rule: 'proof-made-once',
    is: /\b(?:identified\(|provenCause[<(])/,
    within: 'server/**/*.ts',
    except:
      /\/(?:sessions\/(?:invitations|links|oidc|passkeys)\/actions|systemlog\/events\/event|connectors\/cause|tasks\/verdict)\.ts$/,
    why: 'who someone is, and which authority acts, is proven where it is verified: server/authority/proof.ts',
  },
]

const decided = (root: string): Violation[] =>
  decisions.flatMap(({ rule, is, within, except, why }) =>
    sources(root, within)
      .filter((file) => !except?.test(file) && is.test(readFileSync(join(root, file), 'utf8')))
      .map((from) => ({ rule, from, to: '', why })),
  )

const importsIn = (root: string, pattern: string): { from: string; to: string }[] =>
  sources(root, pattern).flatMap((from) =>
    [...readFileSync(join(root, from), 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(
      ([, to = '']) => ({ from, to }),
    ),
  )

const leaves = (file: string, to: string): boolean =>
  to.startsWith('.') && /^(?:\.\.|server|cli|client)(?:\/|$)/.test(posix.join(posix.dirname(file), to))

/** Applies every rule to the tree at `root`, which need not be this one. Throws when a file cannot be parsed. */
export async function inspect(root: string): Promise<Inspection> {
  // Without it dependency-cruiser silently falls back to guessing with acorn-loose.
  const swc = getAvailableTranspilers().find(({ name }) => name === 'swc')
  if (!swc?.available) throw new Error('@swc/core is not installed, or is a version that dependency-cruiser refuses')

  const files = sources(root, '{server,cli}/**/*.ts')
  const starts = [...files, ...sources(root, 'bin/*.mjs')]
  const { output } =
    starts.length === 0
      ? { output: undefined }
      : await cruise(starts, {
          baseDir: root,
          // TypeScript 7 has no JavaScript API. Unless told to use swc, dependency-cruiser then finds 0 modules in a
          // folder, guesses at files that are named to it, and reports success either way.
          parser: 'swc',
          tsPreCompilationDeps: true,
          // Parts of a package that it exports by name: @bufbuild/protobuf/wire.
          enhancedResolveOptions: {
            exportsFields: ['exports'],
            conditionNames: ['import', 'require', 'node', 'default'],
          },
          doNotFollow: { path: ['node_modules', '^(?:tests|bench|scripts|console|client)/'] },
          validate: true,
          ruleSet: { forbidden: rules },
        })
  const result = output as ICruiseResult | undefined
  const seen = new Set(result?.modules.map((module) => module.source))
  const cruised = (result?.summary.violations ?? []).map(({ rule, from, to, cycle }) => ({
    rule: rule.name,
    from,
    to: cycle === undefined ? to : cycle.map((step) => step.name).join(' -> '),
    why: rules.find(({ name }) => name === rule.name)?.comment ?? '',
  }))
  return {
    violations: [
      ...unplaced(files),
      ...cruised,
      ...mutual(result?.modules ?? []),
      ...escapes(root),
      ...decided(root),
      ...consoleDirections(root),
    ],
    inspected: files.filter((file) => seen.has(file)),
    missed: files.filter((file) => !seen.has(file)),
  }
}

if (import.meta.main) {
  const { violations, inspected, missed } = await inspect(process.cwd())
  for (const { rule, from, to, why } of violations) console.log(`${rule}: ${from} -> ${to}\n    ${why}`)
  for (const file of missed) console.log(`not inspected: ${file}`)
  if (inspected.length === 0) console.log('nothing was inspected: the parser is missing, or this is not the root')
  if (violations.length > 0 || missed.length > 0 || inspected.length === 0) process.exitCode = 1
}
