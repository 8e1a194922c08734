import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { slot } from '#kernel/memory.ts'
import type { Again } from '#kernel/wakes.ts'
import type { World } from '#kernel/world.ts'
import { headText } from '../chain/head-text.ts'
import { ledger } from '../chain/ledger.ts'
import { findTenancy } from '../store.ts'

/**
 * Places outside the database, chosen by the operator, to which the end of each tenant's chain is reported. An attacker
 * who rewrites the log cannot change what was reported: `bailiwick systemlog verify --witness FILE` compares.
 */
export type Heads = { time: string; tenant: string; domain: string; head: string }[]
type Witness = { name: string; report(heads: Heads): Promise<void> }

const answerMs = 5_000
/** How long one round waits; it does not wait for a witness that takes longer. */
const patienceMs = 1_000
const lines = (heads: Heads): string => heads.map((head) => `${JSON.stringify(head)}\n`).join('')

function witnessOf(name: string): Witness {
  if (name === 'stdout')
    return {
      name,
      report: (heads) =>
        new Promise((resolve, reject) => {
          process.stdout.write(lines(heads), (error) => (error ? reject(error) : resolve()))
        }),
    }
  if (/^https?:/.test(name))
    return {
      // The path may contain a secret.
      name: new URL(name).origin,
      async report(heads) {
        const reply = await fetch(name, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ heads }),
          redirect: 'error',
          signal: AbortSignal.timeout(answerMs),
        })
        await reply.body?.cancel()
        if (!reply.ok) throw new Error(`answered ${reply.status}`)
      },
    }
  const file = name.replace(/^file:/, '')
  return {
    name,
    async report(heads) {
      const handle = await open(file, 'a', 0o600)
      try {
        await handle.appendFile(lines(heads))
        await handle.sync()
      } finally {
        await handle.close()
      }
    },
  }
}

/** Each witness separately: one that does not respond delays neither the others nor the sealer. */
export const witnesses = slot((world) => {
  const all = (world.settings.witnesses ?? []).map((name) => reporting(world, witnessOf(name)))
  return {
    /** Run by the engine. What a witness did not accept is included in its next report. */
    async report(): Promise<Again | void> {
      await Promise.race([Promise.all(all.map(({ report }) => report())), sleep(patienceMs, undefined, { ref: false })])
      if (all.some(({ isBehind }) => isBehind())) return 'again'
    },
  }
})

function reporting(world: World, witness: Witness): { report(): Promise<void>; isBehind(): boolean } {
  const reported = new Map<number, number>()
  let hasFailed = false
  let isBusy = false
  const listNews = () =>
    [...world.memory(ledger).ends()].filter(([id, { sealNumber }]) => reported.get(id) !== sealNumber)
  const reportNews = async (): Promise<void> => {
    const news = listNews()
    if (news.length === 0) return
    const heads: Heads = []
    for (const [tenantId, { sealNumber, mac }] of news) {
      const tenant = await findTenancy(world.db, tenantId)
      const head = headText(sealNumber, Buffer.from(mac))
      if (tenant) heads.push({ time: world.now().toISOString(), tenant: tenant.publicId, domain: tenant.domain, head })
    }
    try {
      await witness.report(heads)
      for (const [tenantId, { sealNumber }] of news) reported.set(tenantId, sealNumber)
      if (hasFailed) world.log.info({ witness: witness.name }, 'the witness of the system log can be reached again')
      hasFailed = false
    } catch (error) {
      const { name, message } = error as Error
      if (!hasFailed)
        world.log.error(
          { witness: witness.name, error: { name, message } },
          'a witness of the system log cannot be reached',
        )
      hasFailed = true
    }
  }
  return {
    async report() {
      if (isBusy) return
      isBusy = true
      await reportNews().finally(() => (isBusy = false))
    },
    isBehind: () => listNews().length > 0,
  }
}
