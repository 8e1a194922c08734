/**
 * Finds retired words in what people read: in strings, templates and texts of JSX, in the papers, and, for the people who
 * maintain the program, in comments, in exported names and in names of files. tests/checks/words.test.ts plants some.
 */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseSync } from 'vite'
import { retired, retiredNames } from './retired-words.ts'

export type Finding = { file: string; line: number; text: string; instead: string }

const code = [
  'console/src/**/*.{ts,tsx}',
  'cli/**/*.ts',
  'server/**/*.ts',
  'client/src/*.ts',
  'bin/*.mjs',
  'scripts/**/!(retired-words).ts',
]
/** Decisions, and the changelog of old versions, keep the words of their time. */
const papers = ['{README,ARCHITECTURE,CONTRIBUTING,SECURITY}.md', 'docs/*.md']

type Node = { readonly type: string; readonly start: number; readonly [key: string]: unknown }
type Text = { start: number; text: string }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Types and the names of modules are not checked, nor is SQL, which is in tagged templates. */
const isSkipped = ({ type }: Node): boolean =>
  /^Import(?!Expression)|^ExportAll|^TS(?!As|Satisfies|NonNull|Enum)/.test(type)

/** The texts of a program, each with its place; the expressions of a template are written `{}`. */
function textsOf(node: unknown, texts: Text[] = []): Text[] {
  if (Array.isArray(node)) for (const each of node) textsOf(each, texts)
  if (!isNode(node) || isSkipped(node)) return texts
  if ((node.type === 'Literal' || node.type === 'JSXText') && typeof node['value'] === 'string')
    texts.push({ start: node.start, text: node['value'] })
  if (node.type === 'TemplateLiteral') {
    const quasis = node['quasis'] as { value: { cooked: string | null; raw: string } }[]
    texts.push({ start: node.start, text: quasis.map(({ value }) => value.cooked ?? value.raw).join('{}') })
  }
  const isTagged = node.type === 'TaggedTemplateExpression'
  for (const [key, value] of Object.entries(node)) {
    if (isTagged && key === 'quasi') textsOf((value as Node)['expressions'], texts)
    else if (typeof value === 'object') textsOf(value, texts)
  }
  return texts
}

type Comment = { type: 'Line' | 'Block'; start: number; end: number; value: string }

/** The comments of a program. Lines that follow one another are one comment. */
function commentsOf(comments: readonly Comment[], program: string): Text[] {
  const texts: Text[] = []
  let last: { comment: Comment; text: Text } | null = null
  for (const comment of comments) {
    const start = comment.start + 2
    const value = comment.value.replaceAll(/^\s*\*/gm, blank)
    const between = last && program.slice(last.comment.end, comment.start)
    if (last?.comment.type === 'Line' && comment.type === 'Line' && /^\n[ \t]*$/.test(between ?? '')) {
      last.text.text += `${between}  ${value}`
      last.comment = comment
      continue
    }
    const text = { start, text: value }
    texts.push(text)
    last = { comment, text }
  }
  return texts
}

/** The names that a program exports, each with its place. */
function exportedNames(program: Node): Text[] {
  const names: Text[] = []
  const add = (id: unknown): void => {
    if (isNode(id) && id.type === 'Identifier') names.push({ start: id.start, text: String(id['name']) })
  }
  for (const statement of program['body'] as Node[]) {
    if (statement.type !== 'ExportNamedDeclaration') continue
    const declaration = statement['declaration'] as Node | null
    add(declaration?.['id'])
    for (const { id } of (declaration?.['declarations'] ?? []) as { id: unknown }[]) add(id)
    for (const { exported } of statement['specifiers'] as { exported: unknown }[]) add(exported)
  }
  return names
}

const lineAt = (text: string, start: number): number => text.slice(0, start).split('\n').length

/** Keeps the ends of lines, so that the numbers of the lines stay the same. */
const blank = (part: string): string => part.replaceAll(/[^\n]/g, ' ')

/** The paragraphs of a paper, without its blocks of code and without what the glossary says of retired words. */
const paragraphsOf = (text: string): Text[] =>
  [
    ...text
      .replaceAll(/^```[\s\S]*?^```/gm, blank)
      .replace(/^## Retired words\n[\s\S]*/m, blank)
      .matchAll(/(?:.*\S.*(?:\n|$))+/g),
  ].map(({ 0: paragraph, index }) => ({ start: index, text: paragraph }))

/** A space in a pattern matches any white space, also the end of a line. */
const rules = retired.map(({ words, instead }) => ({
  words: new RegExp(words.source.replaceAll(' ', String.raw`\s+`), `g${words.flags}`),
  instead,
}))

/** The retired words in a file, and those in its name. */
export function findIn(file: string, text: string): Finding[] {
  const { texts, names } = file.endsWith('.md') ? { texts: paragraphsOf(text), names: [] } : readProgram(file, text)
  const findings = texts.flatMap(({ start, text: read }) => {
    const before = read.length - read.trimStart().length
    return rules.flatMap(({ words, instead }) =>
      [...read.slice(before).matchAll(words)].map(({ 0: found, index }) => ({
        file,
        line: lineAt(text, start) + read.slice(0, before + index).split('\n').length - 1,
        text: found.replaceAll(/\s+/g, ' ').trim(),
        instead,
      })),
    )
  })
  return [...findings, ...findNames(file, text, names)]
}

function readProgram(file: string, text: string): { texts: Text[]; names: Text[] } {
  const { program, comments, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const texts = [...textsOf(program), ...commentsOf(comments, text)]
  return { texts, names: exportedNames(program as unknown as Node) }
}

function findNames(file: string, text: string, exported: Text[]): Finding[] {
  const ofFile = { start: 0, text: basename(file).replace(/\..*$/, '') }
  return [ofFile, ...exported].flatMap(({ start, text: name }) =>
    retiredNames
      .filter(({ name: retiredName }) => retiredName.test(name))
      .map(({ instead }) => ({ file, line: lineAt(text, start), text: name, instead })),
  )
}

/** The files that are checked. */
export const filesIn = (root: string): string[] => globSync([...code, ...papers], { cwd: root }).toSorted()

if (import.meta.main) {
  const root = process.cwd()
  const files = filesIn(root)
  const findings = files.flatMap((file) => findIn(file, readFileSync(join(root, file), 'utf8')))
  for (const { file, line, text, instead } of findings) console.log(`${file}:${line}: “${text}”: use ${instead}`)
  if (files.length === 0) console.log('no files were found: this is not the root')
  if (findings.length > 0 || files.length === 0) process.exitCode = 1
}
