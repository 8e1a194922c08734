import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Claim } from '../claim.ts'
import { startOn } from '../processes.ts'

const secondsMax = 2

export const claim: Claim = {
  claim:
    `From the command to the first answer, on existing data with its own PostgreSQL, it takes less than ${secondsMax} ` +
    `seconds: the floor is one start in ${secondsMax} seconds.`,
  unit: 'starts in 1,000 s',
  ratioMin: 1,
  rounds: 5,
  async start() {
    const folder = mkdtempSync(join(tmpdir(), 'bailiwick-bench-'))
    chmodSync(folder, 0o755)
    const dataDir = join(folder, 'data')
    await (await startOn(dataDir)).stop()
    return {
      subject: {
        async round() {
          const begin = performance.now()
          const served = await startOn(dataDir)
          await fetch(`http://127.0.0.1:${served.port}/api/openapi.json`).then((reply) => reply.text())
          const seconds = (performance.now() - begin) / 1000
          await served.stop()
          return 1000 / seconds
        },
        stop: async () => rmSync(folder, { recursive: true, force: true }),
      },
      floor: { round: async () => 1000 / secondsMax, stop: async () => {} },
    }
  },
}
