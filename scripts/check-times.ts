/**
 * Finds tests that measure the machine: assertions about how long something took, and time limits of single tests and waits.
 * Such a test fails on a busy machine. `npm run test:long` may have generous bounds: its files and tests are not checked.
 * tests/checks/times.test.ts plants some of them.
 */
import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'

export type Finding = { file: string; line: number; text: string; why: string }

type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [key: string]: unknown }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

const childrenOf = (node: Node): Node[] =>
  Object.entries(node).flatMap(([key, value]) => (key.startsWith('type') ? [] : [value].flat().filter(isNode)))

function* walk(node: Node): Generator<Node> {
  yield node
  for (const child of childrenOf(node)) yield* walk(child)
}

const nameOf = (node: unknown): string => {
  if (!isNode(node)) return ''
  if (node.type === 'Identifier') return node['name'] as string
  if (node.type === 'MemberExpression') return nameOf(node['property'])
  if (node.type === 'Literal') return String(node['value'])
  return ''
}

/** The name of the function that is called: `performance.now`, `expect.poll`, `test`, `test.each`. */
const calleeOf = (node: Node): string => {
  const callee = node['callee'] as Node
  if (callee.type === 'CallExpression') return calleeOf(callee)
  return callee.type === 'MemberExpression'
    ? `${nameOf(callee['object'])}.${nameOf(callee['property'])}`
    : nameOf(callee)
}

const isFunction = ({ type }: Node): boolean => /^(ArrowFunction|Function)(Expression|Declaration)$/.test(type)
const isMoment = (node: Node): boolean =>
  node.type === 'CallExpression' && /^(performance|Date)\.now$|^process\.hrtime$|^hrtime\.bigint$/.test(calleeOf(node))
const isCpuTime = (node: Node): boolean =>
  node.type === 'CallExpression' &&
  /\.(threadCpuUsage|cpuUsage|resourceUsage|eventLoopUtilization)$/.test(calleeOf(node))
/** Names that fixtures and scenes use for times that they measured. */
const isDurationName = (name: string): boolean =>
  /^(ms|elapsed|took(Ms)?|elapsedMs|cpuMs|slowestMs|longestMs)$/.test(name)

type Known = { moments: Set<string>; durations: Set<string> }

/** Whether an expression contains such a node; of the functions in it, what they return. */
function has(node: Node, is: (each: Node) => boolean): boolean {
  return is(node) || (isFunction(node) ? returned(node) : childrenOf(node)).some((child) => has(child, is))
}

const isMomentIn = (node: Node, { moments }: Known): boolean =>
  has(node, (each) => isMoment(each) || (each.type === 'Identifier' && moments.has(nameOf(each))))

const isConstant = (node: Node): boolean => !has(node, ({ type }) => type === 'Identifier' || type === 'CallExpression')
/** A number of milliseconds, written as a number or as a product. */
const isSpan = (node: Node): boolean =>
  isConstant(node) || (node.type === 'BinaryExpression' && node['operator'] === '*') || nameOf(node).endsWith('Ms')

/** Whether an expression is how long something took: the difference of two moments, CPU time, or computed from those. */
const isDurationIn = (node: Node, known: Known): boolean =>
  has(node, (each) => {
    if (isCpuTime(each)) return true
    if (each.type === 'Identifier') return known.durations.has(nameOf(each))
    if (each.type === 'MemberExpression') return isDurationName(nameOf(each))
    if (each.type !== 'BinaryExpression' || each['operator'] !== '-') return false
    const [left, right] = [each['left'] as Node, each['right'] as Node]
    // A moment minus a number of milliseconds is a moment.
    return isMomentIn(right, known) || (isMomentIn(left, known) && !isSpan(right))
  })

/** The names that the whole value is assigned to; of a destructured object, those of measured times. */
function namesIn(pattern: Node): string[] {
  if (pattern.type === 'Identifier') return [nameOf(pattern)]
  if (pattern.type === 'ArrayPattern') return childrenOf(pattern).flatMap(namesIn)
  if (pattern.type !== 'ObjectPattern') return []
  return measuredIn(pattern).concat(
    childrenOf(pattern).flatMap((each) =>
      /^(user|system)$/.test(nameOf(each['key'])) ? namesIn(each['value'] as Node) : [],
    ),
  )
}

/** The names that a pattern gives to properties named like a measured time, wherever they come from. */
const measuredIn = (pattern: Node): string[] =>
  childrenOf(pattern).flatMap((each) => (isDurationName(nameOf(each['key'])) ? namesIn(each['value'] as Node) : []))

/** What a function returns. */
function returned(node: Node): Node[] {
  const body = node['body'] as Node
  if (body.type !== 'BlockStatement') return [body]
  const inside = (each: Node): Node[] =>
    each.type === 'ReturnStatement'
      ? [each['argument']].filter(isNode)
      : childrenOf(each).flatMap((child) => (isFunction(child) ? [] : inside(child)))
  return inside(body)
}

/** The names in a file that hold moments and durations, as far as they can be followed without scopes. */
function readNames(program: Node): Known {
  const known: Known = { moments: new Set(), durations: new Set() }
  const note = (names: string[], value: Node): void => {
    const sources = isFunction(value) ? returned(value) : [value]
    if (sources.some((source) => isDurationIn(source, known))) for (const name of names) known.durations.add(name)
    else if (sources.some((source) => isMomentIn(source, known))) for (const name of names) known.moments.add(name)
  }
  const noteAll = (): void => {
    for (const node of walk(program)) {
      if (node.type === 'ObjectPattern') for (const name of measuredIn(node)) known.durations.add(name)
      if (node.type === 'VariableDeclarator' && isNode(node['init'])) note(namesIn(node['id'] as Node), node['init'])
      if (node.type === 'AssignmentExpression') note([nameOf(node['left'])], node['right'] as Node)
      if (node.type === 'FunctionDeclaration') note([nameOf(node['id'])], node)
      if (node.type === 'CallExpression' && calleeOf(node).endsWith('.push'))
        for (const value of node['arguments'] as Node[]) note([nameOf((node['callee'] as Node)['object'])], value)
    }
  }
  for (let before = -1; before !== known.moments.size + known.durations.size; ) {
    before = known.moments.size + known.durations.size
    noteAll()
  }
  return known
}

const comparing = /^toBe(Less|Greater)Than(OrEqual)?$|^toBeCloseTo$/
const tests = /^(test|it|describe|beforeAll|beforeEach|afterAll|afterEach)(\.\w+)*$|^(inBrowser)$/
const waits = /\.(poll|waitFor|waitUntil|waitForURL|waitForFunction|click|fill)$|^(until|eventually|patiently)$/

/** The subject of `expect(…)` at the beginning of a chain of matchers. */
function subjectOf(node: unknown): Node | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'MemberExpression') return subjectOf(node['object'])
  if (node.type !== 'CallExpression' || !/^expect(\.soft)?$/.test(calleeOf(node))) return undefined
  return (node['arguments'] as Node[])[0]
}

/**
 * Whether an expression is the time until a moment that the program returned, which a slow machine makes less and never
 * more.
 */
const isRemaining = (node: Node, known: Known): boolean =>
  node.type === 'BinaryExpression' &&
  node['operator'] === '-' &&
  !isMomentIn(node['left'] as Node, known) &&
  !isDurationIn(node['left'] as Node, known)

/** What is wrong with a call, if anything. */
function problemOf(node: Node, known: Known): string | null {
  const args = node['arguments'] as Node[]
  const callee = node['callee'] as Node
  const subject = callee.type === 'MemberExpression' ? subjectOf(callee['object']) : undefined
  if (subject) {
    const isCompared =
      comparing.test(nameOf(callee)) || has(subject, ({ operator }) => /^[<>]=?$/.test(String(operator)))
    if (!isCompared || nameOf(subject) === 'length') return null
    // An assertion that a moment has not come yet.
    if (/Less/.test(nameOf(callee)) && has(subject, isMoment) && !isDurationIn(subject, known))
      return 'asserts what time it is'
    if (!isDurationIn(subject, known)) return null
    return isRemaining(subject, known) && /Less/.test(nameOf(callee)) ? null : 'asserts how long something took'
  }
  const name = calleeOf(node)
  const isTest = tests.test(name)
  if (isTest && typeof args.at(-1)?.['value'] === 'number') return 'sets its own time limit'
  if (!isTest && !waits.test(name)) return null
  const hasLimit = args.some(
    (arg) =>
      arg.type === 'ObjectExpression' &&
      (arg['properties'] as Node[]).some(
        (each) => nameOf(each['key']) === 'timeout' && isConstant(each['value'] as Node),
      ),
  )
  return hasLimit ? 'sets its own time limit' : null
}

/** The findings in a file. */
export function findIn(file: string, source: string): Finding[] {
  const program = parseSync(file, source).program as unknown as Node
  const known = readNames(program)
  const findings: Finding[] = []
  const look = (node: Node): void => {
    if (node.type === 'CallExpression') {
      if (/^(longTest|onlyLongTest)(\.|$)/.test(calleeOf(node))) return
      const why = problemOf(node, known)
      const line = source.slice(0, node.start).split('\n').length
      if (why) findings.push({ file, line, text: source.slice(node.start, node.end).split('\n', 1)[0] ?? '', why })
    }
    for (const child of childrenOf(node)) look(child)
  }
  look(program)
  return findings
}

export const filesToCheck = (): string[] =>
  globSync('tests/**/*.ts')
    // stretch.ts makes its assertions in the long run alone.
    .filter((file) => !file.endsWith('.long.test.ts') && file !== 'tests/fixture/stretch.ts')
    .toSorted()

if (import.meta.main) {
  const findings = filesToCheck().flatMap((file) => findIn(file, readFileSync(file, 'utf8')))
  for (const { file, line, text, why } of findings) console.error(`${file}:${line}: ${why}: ${text.slice(0, 140)}`)
  if (findings.length > 0) process.exitCode = 1
}
