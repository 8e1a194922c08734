import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '#database/open.ts'
import type { Claim } from './claim.ts'
import { cpuOf } from './cpu.ts'
import { startOn } from './processes.ts'

/** What an idle server may take of one core, and how many transactions per second it may have PostgreSQL do. */
const allowed = { core: 0.005, perSecond: 2 }
const watchedMs = Number(process.env['BENCH_IDLE_SECONDS'] ?? 60) * 1000
/** What is done once a minute is done for the first time a minute after the start; then the system log is verified, once in an hour. */
const settleMs = 150_000

/** How many servers that nobody uses take one core, or 400 transactions per second: the fewer of both. */
export const idleClaim = (claim: string, ratioMin: number | null, ...flags: string[]): Claim => ({
  claim,
  unit: 'idle servers',
  ratioMin,
  rounds: 1,
  isCold: true,
  async start() {
    const folder = mkdtempSync(join(tmpdir(), 'bailiwick-bench-'))
    chmodSync(folder, 0o755)
    const dataDir = join(folder, 'data')
    const served = await startOn(dataDir, ...flags)
    const pid = served.pid as number
    const { db, close } = await openDatabase({ from: { dataDir, purpose: 'command' }, connectionsMax: 1 })
    const transactions = async (): Promise<number> => {
      const [row] = await db<{ count: number }[]>`
        select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()`
      return row?.count ?? 0
    }
    return {
      subject: {
        async round() {
          await sleep(settleMs)
          const [before, begun, counted] = [cpuOf(pid), performance.now(), await transactions()]
          await sleep(watchedMs)
          const count = (await transactions()) - counted
          const [after, ms] = [cpuOf(pid), performance.now() - begun]
          const [node, postgres] = [(after.node - before.node) / ms, (after.postgres - before.postgres) / ms]
          const perSecond = (count * 1000) / ms
          console.log(
            `      ${(node * 100).toFixed(2)}% of a core by Node, ${(postgres * 100).toFixed(2)}% by PostgreSQL, ` +
              `${perSecond.toFixed(2)} transactions per second`,
          )
          const most = 1 / allowed.core
          return most * Math.min(allowed.core / (node + postgres), allowed.perSecond / perSecond)
        },
        async stop() {
          await close()
          await served.stop()
          rmSync(folder, { recursive: true, force: true })
        },
      },
      floor: { round: async () => 1 / allowed.core, stop: async () => {} },
    }
  },
})
