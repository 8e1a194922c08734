import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { findStale, generated } from './generated.ts'

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const stale = await findStale(generated)

if (values.check) {
  for (const { path } of stale) console.log(`stale: ${path}`)
  if (stale.length > 0) {
    console.log('These files are generated from others, which have changed since. Run npm run generate.')
    process.exitCode = 1
  }
} else {
  for (const { path, text } of stale) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
    console.log(`written: ${path}`)
  }
  console.log(`${generated.length} generated, ${stale.length} written`)
}
