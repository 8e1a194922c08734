import type { FastifyInstance } from 'fastify'
import { databaseAway } from './errors.ts'
import { sendJson } from './reply.ts'

type HealthParts = {
  presence: { look(): Promise<boolean> }
  clock: { readonly doubt: string | null; look(): Promise<void> }
  readiness: { readonly isReady: boolean }
}

/**
 * For supervisors: `/healthz`, the process is alive; `/readyz`, it can do its work, and what the first start creates
 * exists. On any host, without a token.
 */
export function mountHealth(app: FastifyInstance, { presence, clock, readiness }: HealthParts): void {
  const ok = JSON.stringify({ status: 'ok' })
  const starting = JSON.stringify({ status: 'starting' })
  const options = { config: { ofNoTenant: true } }
  app.get('/healthz', options, (_request, reply) => sendJson(reply, ok))
  app.get('/readyz', options, async (_request, reply) => {
    if (!(await presence.look())) throw databaseAway()
    if (!readiness.isReady) return sendJson(reply.code(503).header('retry-after', 1), starting)
    // Not awaited: the statement may be sent behind one that waits for a lock. The next response has its result.
    void clock.look().catch(() => {})
    const { doubt } = clock
    return sendJson(reply, doubt === null ? ok : JSON.stringify({ status: 'ok', warnings: [`clock: ${doubt}`] }))
  })
}
