import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A path as it is written from here: short where it lies below. */
export const shown = (path: string): string => {
  const here = relative(process.cwd(), path)
  return here.startsWith('..') ? path : `./${here}`
}

/** For a shell: as it is where that says the same. */
export const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

const ownFile = 'bin/bailiwick.mjs'

/**
 * How this program is called from here. Not `npx bailiwick`: outside the checkout that would run whatever package of this
 * name someone publishes.
 */
export function ownCommand(): string {
  const called = process.argv[1] ?? ''
  const path = called.endsWith(`/${ownFile}`) ? called : fileURLToPath(new URL(`../${ownFile}`, import.meta.url))
  return `node ${quoted(shown(path).replace(/^\.\//, ''))}`
}

/** A database's address to be shown: terminals are looked at, and what is typed is kept in histories. */
export function withoutPassword(text: string): string {
  const url = URL.parse(text)
  if (!url) return text
  if (url.password === '' && !url.searchParams.has('password')) return text
  url.password = ''
  url.searchParams.delete('password')
  return url.href
}
