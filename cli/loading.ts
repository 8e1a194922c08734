// How the program's own files are loaded: for a start that takes half the time.
import { readFileSync } from 'node:fs'
import module from 'node:module'

const root = new URL('..', import.meta.url)

/** Compiled code is kept beside the packages, where only those who may change the program can write. */
export const compileCache = new URL('node_modules/.cache/bailiwick', root)

/**
 * Finds our own files by their names, which every import has in full. Node would look at the disk and into package.json for
 * each of some 12,000 imports: a third of the CPU time of loading the server (0.75 s instead of 1.1 s). The aliases are
 * those of package.json.
 */
export function loadOwnFilesByName(): void {
  const { imports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { imports: object }
  const folders = new Map(
    Object.entries(imports).map(([alias, folder]: [string, string]) => [
      alias.slice(0, -1),
      new URL(folder.slice(0, -1), root).href,
    ]),
  )
  const urlOf = (name: string, parent: string | undefined): string | undefined => {
    if (name.startsWith('.')) return parent?.startsWith(root.href) ? new URL(name, parent).href : undefined
    const end = name.indexOf('/') + 1
    const folder = folders.get(name.slice(0, end))
    return folder && `${folder}${name.slice(end)}`
  }
  module.registerHooks({
    resolve(name, context, next) {
      const url = name.endsWith('.ts') ? urlOf(name, context.parentURL) : undefined
      return url ? { url, format: 'module-typescript', shortCircuit: true } : next(name, context)
    },
  })
}
