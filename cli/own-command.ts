import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A path relative to the working directory, if it is below that. */
export const shown = (path: string): string => {
  const here = relative(process.cwd(), path)
  return here.startsWith('..') ? path : `./${here}`
}

/** Quoted for a shell, if necessary. */
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

/** A database's address without its password: others may see the terminal, and shells keep a history of commands. */
export function withoutPassword(text: string): string {
  const url = URL.parse(text)
  if (!url) return text
  if (url.password === '' && !url.searchParams.has('password')) return text
  url.password = ''
  url.searchParams.delete('password')
  return url.href
}
