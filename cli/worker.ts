// The program of one of several workers: started by server/workers/primary.ts, never manually.
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { compileCache, loadOwnFilesByName } from './loading.ts'

// A terminal sends these to the whole group of processes, also while this one loads: the primary decides what to do.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
module.enableCompileCache(fileURLToPath(compileCache))
loadOwnFilesByName()
const { serveAsWorker } = await import('#server/main.ts')
serveAsWorker((code) => process.exit(code))
