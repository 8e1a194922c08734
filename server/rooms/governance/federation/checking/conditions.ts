import { slot } from '#kernel/memory.ts'
import { budgetUnits, type Evaluation, evaluateClaims } from '#rooms/rules/expressions/index.ts'

type Asked = { source: string; claims: string; done(told: Evaluation): void; failed(error: unknown): void }

const atOnceMax = 50

/**
 * Evaluates conditions about claims for the token endpoint. Those of a tenant that arrive while others are being evaluated
 * are sent to the worker thread together: the round trip costs more than evaluating most conditions.
 */
export const conditions = slot((world) => {
  const waiting = new Map<number, Asked[]>()
  const asking = new Set<number>()

  const ask = async (tenantId: number): Promise<void> => {
    asking.add(tenantId)
    // Conditions that arrive in the same turn of the event loop are sent together.
    await new Promise(setImmediate)
    for (let asked = waiting.get(tenantId); asked && asked.length > 0; asked = waiting.get(tenantId)) {
      const group = asked.splice(0, atOnceMax)
      const of = group.map(({ source, claims }) => ({ source, claims }))
      const asker = { lane: `exchanges ${tenantId}`, signal: null }
      try {
        const told = await evaluateClaims(world, asker, of, budgetUnits * group.length)
        for (const [at, { done }] of group.entries()) done(told[at] as Evaluation)
      } catch (error) {
        for (const { failed } of group) failed(error)
      }
    }
    waiting.delete(tenantId)
    asking.delete(tenantId)
  }

  return {
    evaluate: (tenantId: number, source: string, claims: string): Promise<Evaluation> =>
      new Promise((done, failed) => {
        const asked = waiting.get(tenantId) ?? []
        asked.push({ source, claims, done, failed })
        waiting.set(tenantId, asked)
        if (!asking.has(tenantId)) void ask(tenantId)
      }),
  }
})
