import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Claim, Side } from '../claim.ts'
import { tokenOf } from '../entitlements.ts'
import { load, requestBytes } from '../load.ts'
import { startOn } from '../processes.ts'

const path = '/api/v1/users?page_size=100'

/** The demo company, so that a page has a hundred users: of them the server writes 150 kB of JSON. */
async function sideOf(workers: number): Promise<Side> {
  const folder = mkdtempSync(join(tmpdir(), 'bailiwick-bench-'))
  chmodSync(folder, 0o755)
  const dataDir = join(folder, 'data')
  const served = await startOn(dataDir, '--workers', String(workers), '--log-requests', 'none')
  const token = await tokenOf({ ...served, dataDir })
  const request = requestBytes('GET', path, { headers: { authorization: `Bearer ${token}` } })
  return {
    async round() {
      const { perSecond, statuses } = await load({
        port: served.port,
        connections: 16,
        durationMs: 2000,
        next: () => request,
      })
      if ([...statuses.keys()].some((status) => status !== 200)) throw new Error('not every answer was a 200')
      return perSecond
    },
    async stop() {
      await served.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const claim: Claim = {
  claim:
    'Pages of 100 users, by two workers against one. Load generator, workers and the embedded PostgreSQL share the cores of one ' +
    'machine, so on two cores this shows what the workers cost rather than what they gain.',
  unit: 'pages/s',
  ratioMin: null,
  rounds: 7,
  start: async () => ({ subject: await sideOf(2), floor: await sideOf(1) }),
}
