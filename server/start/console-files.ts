import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { findOrBuild } from '#http/pages/console-build.ts'

/** Where only those who may change the program can write: the console that was built after the installation is there. */
export const besidePackages = fileURLToPath(new URL('../../node_modules/.cache/bailiwick', import.meta.url))

/** Has the console built before the first start. */
export const buildConsole = async (log: Logger): Promise<void> => {
  await findOrBuild([besidePackages], log).built
}
