// Runs on any Node from 20 on: hands over to the Node 24 that npm installed beside us when this one is older.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const neededMajor = 24

/**
 * Runs `program`, a module in TypeScript, with the arguments of `script`, which calls this.
 *
 * @param {string} script
 * @param {string} program
 */
export async function runWithNode24(script, program) {
  if (Number(process.versions.node.split('.')[0]) >= neededMajor) {
    const { compileCache, loadOwnFilesByName } = await import('../cli/loading.ts')
    const cache = fileURLToPath(compileCache)
    module.enableCompileCache(cache)
    // For its threads, which that is not for: one that evaluates expressions starts in a quarter of the time.
    process.env['NODE_COMPILE_CACHE'] ??= cache
    loadOwnFilesByName()
    await import(program)
    return
  }
  const name = `node-${process.platform}-${process.arch}`
  const node = fileURLToPath(new URL(`../node_modules/${name}/bin/node`, import.meta.url))
  if (!existsSync(node)) {
    console.error(
      `bailiwick requires Node ${neededMajor} or newer; this is ${process.version}, and ${name} is not installed: run npm ci`,
    )
    process.exit(2)
  }
  // The server exits when this process has exited, for whatever reason: see cli/lineage.ts.
  const env = { ...process.env, BAILIWICK_LAUNCHER: String(process.pid) }
  const child = spawn(node, [fileURLToPath(script), ...process.argv.slice(2)], { stdio: 'inherit', env })
  // The terminal sends SIGHUP to both. A handler here would undo nohup.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}
