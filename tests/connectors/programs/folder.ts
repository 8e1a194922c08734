import { chmodSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const isRoot = process.getuid?.() === 0
/** Users that nothing else runs as: the first describes programs, and each of the others runs one. */
export const users = isRoot ? { first: 23_500, last: 23_599 } : null
export const userFlag = users ? `${users.first}-${users.last}` : 'same'

const declared = JSON.stringify({
  displayName: 'Fake',
  fields: [
    { name: 'file-path', description: 'What it uploads.', isRequired: true, stringField: {} },
    { name: 'api-token', description: 'Of nothing.', isSecret: true, stringField: {} },
    { name: 'is-loud', boolField: {} },
    { name: 'log-level', isOps: true, stringField: {} },
    { name: 'client-secret', stringField: {} },
  ],
})

/** A folder of programs, each a shell script. */
export function programFolder(): { path: string; write(name: string, script: string): void } {
  const path = mkdtempSync(join(tmpdir(), 'programs-'))
  chmodSync(path, 0o755)
  return {
    path,
    write(name, script) {
      // In one step: a program that is being run is not written to.
      const file = join(path, `.${name}`)
      writeFileSync(file, `#!/bin/sh\n${script}\n`)
      chmodSync(file, 0o755)
      renameSync(file, join(path, name))
    },
  }
}

const describing = `if [ "$1" = config ]; then echo '${declared}'; exit 0; fi`
/** A program that describes itself as the fake connector does, and then does something else. */
export const pretending = (script: string): string => `${describing}\n${script}`
/** The fake connector. */
export const fake = pretending(
  `exec '${process.execPath}' --disable-warning=ExperimentalWarning '${fileURLToPath(new URL('fake.ts', import.meta.url))}'`,
)
