import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLog } from '#kernel/log.ts'
import { listTenants } from '#rooms/foundation/tenants/index.ts'
import { authenticate } from '#rooms/identity/tokens/index.ts'
import { serve } from '#server/main.ts'
import { readServeConfig } from '#server/settings/config.ts'
import { openWorld } from '#server/start/world.ts'
import type { Claim } from '../claim.ts'

const microsecondsMax = 50
const checksPerRound = 100_000

/** A world with one credential and a token of it, got over HTTP from the real server. */
async function startWorld() {
  const dataDir = mkdtempSync(join(tmpdir(), 'bailiwick-bench-'))
  chmodSync(dataDir, 0o755)
  const config = readServeConfig({ port: '0', 'metrics-port': '0', 'data-dir': dataDir, empty: true }, {})
  const log = openLog('silent')
  const serving = await serve(config, log)
  const command = [
    'bin/bailiwick.mjs',
    'credential',
    'create',
    '--user',
    'admin@localhost',
    '--name',
    'bench',
    '--json',
  ]
  const printed = execFileSync(process.execPath, [...command, '--data-dir', dataDir], { encoding: 'utf8' })
  const { clientId, clientSecret } = JSON.parse(printed) as { clientId: string; clientSecret: string }
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  })
  const reply = await fetch(`${serving.url}/auth/v1/token`, { method: 'POST', body })
  const { access_token } = (await reply.json()) as { access_token: string }
  const { world, close } = await openWorld(config, 'command', log)
  const [tenant] = await listTenants(world.db)
  if (!tenant) throw new Error('no tenant')
  return {
    check: () =>
      authenticate(world, {
        tenant,
        sourceAddress: '127.0.0.1',
        authorization: `Bearer ${access_token}`,
        dpop: { proof: undefined, method: 'GET', url: '' },
        sendHeader: () => {},
      }),
    async stop() {
      await close()
      await serving.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export const claim: Claim = {
  claim:
    `Checking an access token that was seen before (signature, tenant, times, credential, user, address, permissions) ` +
    `costs less than ${microsecondsMax} microseconds: the floor is one check in ${microsecondsMax} microseconds.`,
  unit: 'checks/s',
  ratioMin: 1,
  rounds: 5,
  async start() {
    const { check, stop } = await startWorld()
    return {
      subject: {
        stop,
        async round() {
          const begin = performance.now()
          for (let i = 0; i < checksPerRound; i++) {
            const actor = check()
            if (actor instanceof Promise) await actor
          }
          return checksPerRound / ((performance.now() - begin) / 1000)
        },
      },
      floor: { stop: async () => {}, round: async () => 1_000_000 / microsecondsMax },
    }
  },
}
