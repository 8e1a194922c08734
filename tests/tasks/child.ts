import { writeSync } from 'node:fs'
import { serve } from '#server/main.ts'
import { readServeConfig } from '#server/settings/config.ts'

// The real server. It is there to be killed.
const flags = JSON.parse(process.argv[2] ?? '{}') as Record<string, string | boolean>
const config = readServeConfig({ port: '0', 'metrics-port': '0', empty: true, ...flags }, {})
const serving = await serve(config, undefined, { jobLimits: { leaseMs: 1_000, idleMs: { least: 20, most: 100 } } })
writeSync(1, `${serving.url}\n`)
