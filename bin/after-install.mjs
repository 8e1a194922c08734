// Run by npm after `npm ci`: see docs/decisions/0122-console-built-at-install.md.
import { runWithNode24 } from './node-24.mjs'

await runWithNode24(import.meta.url, '../cli/after-install.ts')
