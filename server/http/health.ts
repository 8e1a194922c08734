import type { FastifyInstance } from 'fastify'
import { databaseAway } from './errors.ts'
import { sendJson } from './reply.ts'

/** For supervisors: `/healthz`, the process lives; `/readyz`, it can do its work. On any host, without a token. */
export function mountHealth(
  app: FastifyInstance,
  presence: { look(): Promise<boolean> },
  clock: { readonly doubt: string | null; look(): Promise<void> },
): void {
  const ok = JSON.stringify({ status: 'ok' })
  const options = { config: { ofNoTenant: true } }
  app.get('/healthz', options, (_request, reply) => sendJson(reply, ok))
  app.get('/readyz', options, async (_request, reply) => {
    if (!(await presence.look())) throw databaseAway()
    // A database that does not answer is looked at above.
    await clock.look().catch(() => {})
    const { doubt } = clock
    return sendJson(reply, doubt === null ? ok : JSON.stringify({ status: 'ok', warnings: [`clock: ${doubt}`] }))
  })
}
