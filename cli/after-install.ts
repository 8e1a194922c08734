// Run by npm after an installation: builds the console, and compiles the server, so that the first start does neither. Both are kept
// beside the packages. An installation without it works too: then the server does the same when it starts.
import module from 'node:module'
import { openLog } from '#kernel/log.ts'
import { buildConsole } from '#server/main.ts'

try {
  await buildConsole(openLog('info'))
} catch (error) {
  // The API works without it, and the next start tries again and logs the reason.
  console.error(error)
}
// With everything that this file imports, which is the server.
module.flushCompileCache()
process.exit()
