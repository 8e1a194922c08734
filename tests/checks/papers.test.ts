import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** What the map and the guides call by a short name, as they say themselves. */
const shortOf: readonly [papers: RegExp, short: string, long: string][] = [
  [/^docs\/where-to-change\.md$/, 'rooms/', 'server/rooms/'],
]

// A word with a slash, or with the ending of a file; of the repository, if it begins with one of its folders.
const topFolders = ['server', 'cli', 'client', 'console', 'scripts', 'tests', 'bench', 'docs', 'bin', 'rooms']
const isPath = (text: string): boolean =>
  /^[\w.@-]+(?:\/[\w.@*-]+)*\/?$/.test(text) && topFolders.includes(text.split('/')[0] as string) && text.includes('/')

/** Of a paper: the paths in backticks that name nothing. */
function missingIn(paper: string, text: string): string[] {
  const code = text.replaceAll(/^```[\s\S]*?^```/gm, '')
  const paths = [...code.matchAll(/`([^`\n]+)`/g)].map(([, inside = '']) => inside).filter(isPath)
  return paths.filter((path) => {
    const short = shortOf.find(([papers, begins]) => papers.test(paper) && path.startsWith(begins))
    const whole = short ? path.replace(short[1], short[2]) : path
    return whole.includes('*') ? globSync(whole, { cwd: root }).length === 0 : !existsSync(join(root, whole))
  })
}

/** Of a paper: the links to files of the repository that are not there. */
function brokenIn(paper: string, text: string): string[] {
  const links = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link)
  return links.filter((link) => !existsSync(join(root, dirname(paper), link)))
}

// Decisions and the changes of old versions tell what was so when they were written.
const papers = globSync(['*.md', 'docs/*.md'], { cwd: root }).filter((paper) => paper !== 'CHANGELOG.md')

test('every file that the papers name is there', () => {
  expect(papers).toEqual(expect.arrayContaining(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/where-to-change.md']))
  expect(papers.flatMap((paper) => missingIn(paper, read(paper)).map((path) => `${paper}: ${path}`))).toEqual([])
})

test('every link between the papers leads somewhere', () => {
  const linked = [...papers, 'CHANGELOG.md', ...globSync('docs/decisions/*.md', { cwd: root })]
  expect(linked.flatMap((paper) => brokenIn(paper, read(paper)).map((link) => `${paper}: ${link}`))).toEqual([])
})

/** The heading's anchor, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

test('every link to a part of a paper leads to a heading', () => {
  const broken = papers.flatMap((paper) =>
    [...read(paper).matchAll(/\]\(([^)#\s]*\.md)?#([^)]+)\)/g)].flatMap(([, file, anchor = '']) => {
      const target = file ? join(dirname(paper), file) : paper
      const headings = [...read(target).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
      return headings.includes(anchor) ? [] : [`${paper}: ${file ?? ''}#${anchor}`]
    }),
  )
  expect(broken).toEqual([])
})

/** Names such as `decide.ts` or `../links/` behind a path are looked for from the folder of that path. */
test('every file that the map of changes names for short is in a folder that the same line names', () => {
  const lines = read('docs/where-to-change.md').split('\n')
  const missing = lines.flatMap((line) => {
    const spans = [...line.matchAll(/`([^`]+)`/g)].map(([, inside = '']) => inside)
    const folders = spans
      .filter(isPath)
      .map((path) => join(root, path.replace(/^rooms\//, 'server/rooms/')))
      .map((path) => (/\.\w+$/.test(path) ? dirname(path) : path))
    return spans
      .filter((name) => /^(?:[\w.-]+\/)*(?:[\w.-]+\.ts|[\w.-]+\/)$/.test(name) && !isPath(name) && folders.length > 0)
      .filter((name) => !folders.some((folder) => existsSync(join(folder, name))))
      .map((name) => `${name}: ${line}`)
  })
  expect(missing).toEqual([])
})

/** The map writes `http/server.ts` for server/http/server.ts, and `tokens/authenticate.ts` for the file in that room. */
test('every file of the life of a request is there', () => {
  const life = /## How a request is processed\n([\s\S]*?)\n## /.exec(read('ARCHITECTURE.md'))?.[1] ?? ''
  const named = [...life.matchAll(/`([\w-]+(?:\/[\w-]+)*\/[\w-]+\.ts)`/g)].map(([, path = '']) => path)
  expect(named.length).toBeGreaterThan(10)
  const missing = named.filter(
    (path) => globSync([`server/${path}`, `server/rooms/*/${path}`], { cwd: root }).length !== 1,
  )
  expect(missing).toEqual([])
})

test('a path that is not there is found, and what only looks like one is not', () => {
  const text = 'See `server/nothing.ts`, `server/main.ts`, `rooms/identity`, `docs/no*.md` and `application/json`.'
  expect(missingIn('docs/where-to-change.md', text)).toEqual(['server/nothing.ts', 'docs/no*.md'])
  expect(missingIn('README.md', '`rooms/identity`')).toEqual(['rooms/identity'])
  expect(brokenIn('docs/api.md', '[here](nowhere.md#part), [there](../README.md)')).toEqual(['nowhere.md'])
})
