// The program of one of several workers: started by server/workers/primary.ts, never by hand.
import module from 'node:module'
import { fileURLToPath } from 'node:url'

module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/bailiwick', import.meta.url)))
const { serveAsWorker } = await import('#server/main.ts')
serveAsWorker((code) => process.exit(code))
