import { openLog } from '#kernel/log.ts'
import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import { createCredential } from '#rooms/identity/credentials/index.ts'
import { findUserByEmail, foundTenant } from '#rooms/identity/users/index.ts'
import { readServeConfig } from '#server/settings/config.ts'
import { openWorld } from '#server/start/world.ts'
import type { Claim, Side } from '../claim.ts'
import { load, requestBytes } from '../load.ts'
import { startBailiwick } from '../processes.ts'

const writers = 16
const ownerEmail = 'owner@example.com'

/** Someone who changes the name of a credential of theirs again and again: each change is an event. */
type Writer = { port: number; request: Buffer }

async function makeTenant(world: World, domain: string): Promise<Tenant> {
  const tenant = await transact(world.db, (tx) => foundTenant(tx, world, { domain, ownerEmail }))
  if (typeof tenant === 'string') throw new Error(tenant)
  return tenant
}

async function makeWriter(world: World, port: number, tenant: Tenant): Promise<Writer> {
  const owner = await findUserByEmail(world.db, tenant.id, ownerEmail)
  const wanted = { displayName: 'a', lifespanSeconds: null, allowSourceCidr: [], scopedRoles: [] }
  const { credential, clientSecret } = await transact(world.db, (tx) =>
    createCredential(tx, world, operatorCause(tenant, 'bench'), { ...wanted, userId: owner?.id ?? '' }),
  )
  const form = { grant_type: 'client_credentials', client_id: credential.clientId, client_secret: clientSecret }
  const path = `/api/v1/iam/personal_clients/${credential.id}`
  let answer = ''
  const ask = {
    headers: { host: tenant.domain, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  }
  const next = () => requestBytes('POST', '/auth/v1/token', ask)
  await load({ port, connections: 1, durationMs: 0, next, onAnswer: (bytes) => (answer = bytes.toString()) })
  const { access_token } = JSON.parse(answer.slice(answer.indexOf('{'))) as { access_token: string }
  const headers = { host: tenant.domain, authorization: `Bearer ${access_token}` }
  return { port, request: requestBytes('POST', path, { headers, body: '{"client":{"displayName":"b"}}' }) }
}

async function changesPerSecond(all: readonly Writer[]): Promise<number> {
  const loads = await Promise.all(
    all.map(({ port, request }) => load({ port, connections: 1, durationMs: 500, next: () => request })),
  )
  if (loads.some(({ statuses }) => [...statuses.keys()].some((status) => status !== 200)))
    throw new Error('not every answer was a 200')
  return loads.reduce((sum, { perSecond }) => sum + perSecond, 0)
}

export const claim: Claim = {
  claim:
    `The hash chain of the system log does not make writers wait for each other: ${writers} of them make as many ` +
    'changes in one tenant as in a tenant each.',
  unit: 'changes/s',
  ratioMin: 0.9,
  rounds: 25,
  async start() {
    const served = await startBailiwick()
    const { world, close } = await openWorld(
      readServeConfig({ 'data-dir': served.dataDir }, {}),
      'command',
      openLog('silent'),
    )
    const crowded = await makeTenant(world, 'crowded.example.com')
    const together: Writer[] = []
    const apart: Writer[] = []
    for (let n = 0; n < writers; n++) {
      together.push(await makeWriter(world, served.port, crowded))
      apart.push(await makeWriter(world, served.port, await makeTenant(world, `apart${n}.example.com`)))
    }
    await close()
    const sideOf = (all: readonly Writer[], stop: Side['stop']): Side => ({ round: () => changesPerSecond(all), stop })
    return { subject: sideOf(together, async () => {}), floor: sideOf(apart, served.stop) }
  },
}
