/**
 * Finds retired words in what people read: in strings, templates and texts of JSX, and in the papers. Names and comments
 * are not looked at. tests/checks/words.test.ts plants some of them.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { retired } from './retired-words.ts'

export type Finding = { file: string; line: number; text: string; instead: string }

/** The code with texts that people read. */
const code = ['console/src/**/*.{ts,tsx}', 'cli/**/*.ts', 'server/**/*.ts', 'client/src/*.ts', 'bin/*.mjs']
/** Decisions, and what changed in old versions, are told in the words of their time. */
const papers = ['{README,ARCHITECTURE,CONTRIBUTING,SECURITY}.md', 'docs/*.md']

type Node = { readonly type: string; readonly start: number; readonly [key: string]: unknown }
type Text = { start: number; text: string }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Types, and the names of modules, are nobody's reading. SQL stands in tagged templates. */
const isSkipped = ({ type }: Node): boolean =>
  /^Import(?!Expression)|^ExportAll|^TS(?!As|Satisfies|NonNull|Enum)/.test(type)

/** The texts of a program, each with its place; what a template puts in is written `{}`. */
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

const lineAt = (text: string, start: number): number => text.slice(0, start).split('\n').length

/** Lines stay where they are. */
const blank = (part: string): string => part.replaceAll(/[^\n]/g, ' ')

/** The paragraphs of a paper, without its blocks of code and without what the glossary says of retired words. */
const paragraphsOf = (text: string): Text[] =>
  [
    ...text
      .replaceAll(/^```[\s\S]*?^```/gm, blank)
      .replace(/^## Retired words\n[\s\S]*/m, blank)
      .matchAll(/(?:.*\S.*(?:\n|$))+/g),
  ].map(({ 0: paragraph, index }) => ({ start: index, text: paragraph }))

/** A space stands for any, also for the end of a line. */
const rules = retired.map(({ words, instead }) => ({
  words: new RegExp(words.source.replaceAll(' ', String.raw`\s+`), `g${words.flags}`),
  instead,
}))

/** The retired words in a file. */
export function findIn(file: string, text: string): Finding[] {
  const texts = file.endsWith('.md') ? paragraphsOf(text) : textsOf(parse(file, text))
  return texts.flatMap(({ start, text: read }) => {
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
}

function parse(file: string, text: string): unknown {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  return program
}

/** The files that are looked at. */
export const filesIn = (root: string): string[] => globSync([...code, ...papers], { cwd: root }).toSorted()

if (import.meta.main) {
  const root = process.cwd()
  const files = filesIn(root)
  const findings = files.flatMap((file) => findIn(file, readFileSync(join(root, file), 'utf8')))
  for (const { file, line, text, instead } of findings) console.log(`${file}:${line}: “${text}”: use ${instead}`)
  if (files.length === 0) console.log('no files were found: this is not the root')
  if (findings.length > 0 || files.length === 0) process.exitCode = 1
}
