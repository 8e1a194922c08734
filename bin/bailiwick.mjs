#!/usr/bin/env node
import { runWithNode24 } from './node-24.mjs'

await runWithNode24(import.meta.url, '../cli/main.ts')
