import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Claim } from './claim.ts'
import { cpuOf } from './cpu.ts'
import { startOn } from './processes.ts'

/** What a start may take, in seconds. Of CPU time: Node's, that of `initdb` and PostgreSQL's. */
type Limit = { of: 'first' | 'later'; in: 'wall time' | 'CPU time'; secondsMax: number }

/** From the command until the server is ready: the first start creates the data with the demo company, a later one finds them. */
export const startClaim = ({ of, in: measured, secondsMax }: Limit): Claim => ({
  claim:
    `${of === 'first' ? 'The first start, which creates the database and the demo company,' : 'A later start, on existing data,'} ` +
    `takes less than ${secondsMax} s of ${measured}: the floor is one start in ${secondsMax} s.`,
  unit: 'starts in 1,000 s',
  ratioMin: 1,
  rounds: of === 'first' ? 3 : 5,
  async start() {
    const folder = mkdtempSync(join(tmpdir(), 'bailiwick-bench-'))
    chmodSync(folder, 0o755)
    let round = 0
    const once = async (dataDir: string): Promise<number> => {
      const begin = performance.now()
      const served = await startOn(dataDir)
      const reply = await fetch(`http://127.0.0.1:${served.port}/readyz`)
      const wallMs = performance.now() - begin
      if (reply.status !== 200) throw new Error(`not ready: ${reply.status}`)
      const { node, postgres } = cpuOf(served.pid as number)
      await served.stop()
      return (measured === 'CPU time' ? node + postgres : wallMs) / 1000
    }
    if (of === 'later') await once(join(folder, 'data'))
    return {
      subject: {
        async round() {
          const seconds = await once(join(folder, of === 'later' ? 'data' : `data-${++round}`))
          return 1000 / seconds
        },
        stop: async () => rmSync(folder, { recursive: true, force: true }),
      },
      floor: { round: async () => 1000 / secondsMax, stop: async () => {} },
    }
  },
})
