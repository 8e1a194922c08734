import { queryOptions } from '@tanstack/react-query'
import { changesDescribeSources } from '#client/api/operations.ts'
import type { ChangeCause } from '#client/api/types.ts'
import { call } from './call.ts'

type Ref = { id: string; appId: string }
type Waiting = Ref & { resolve: (cause: ChangeCause | null) => void; reject: (error: unknown) => void }

const atOnceMax = 100
const gatherMs = 10
const knownMs = 300_000

let waiting: Waiting[] = []

/** The badges that a page draws at the same time are read by one request. */
function describe(ref: Ref): Promise<ChangeCause | null> {
  return new Promise((resolve, reject) => {
    waiting.push({ ...ref, resolve, reject })
    if (waiting.length === 1) setTimeout(() => void send(), gatherMs)
  })
}

async function send(): Promise<void> {
  const asked = waiting
  waiting = []
  for (let from = 0; from < asked.length; from += atOnceMax) {
    const some = asked.slice(from, from + atOnceMax)
    try {
      const refs = some.map(({ id, appId }) => ({ id, appId }))
      const { list } = await call(changesDescribeSources, { body: { refs } })
      for (const [place, { resolve }] of some.entries()) resolve(list[place] ?? null)
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
  }
}

/** What the source of a grant is called, also if it was deleted since. */
export const sourceNamed = (ref: Ref) =>
  queryOptions({
    queryKey: [changesDescribeSources.id, ref],
    queryFn: () => describe(ref),
    staleTime: knownMs,
  })
