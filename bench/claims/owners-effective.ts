import type { Claim, Side } from '../claim.ts'
import { load, requestBytes } from '../load.ts'
import { appId, groupEntitlement, holders, type Scene, startScene, userId } from '../owners.ts'

const pagesOf = ({ port, token }: Scene, app: string): Omit<Side, 'stop'> => {
  const path = `/api/v1/apps/${app}/owners?page_size=25`
  const request = requestBytes('GET', path, { headers: { authorization: `Bearer ${token}` } })
  return {
    async round() {
      const { perSecond, statuses } = await load({ port, connections: 16, durationMs: 1500, next: () => request })
      if ([...statuses.keys()].some((status) => status !== 200)) throw new Error('not every answer was a 200')
      return perSecond
    },
  }
}

export const claim: Claim = {
  claim:
    `The first page of who owns an app through an entitlement with ${holders} holders comes at least 0.5 times as fast ` +
    'as that of an app with 1000 owners who are named.',
  unit: 'pages/s',
  ratioMin: 0.5,
  rounds: 7,
  async start() {
    const scene = await startScene(2)
    await scene.set(appId(0), { appEntitlementRefs: [groupEntitlement] })
    await scene.set(appId(1), { userRefs: Array.from({ length: 1000 }, (_, n) => ({ id: userId(n) })) })
    await scene.db`vacuum analyze owners`
    return {
      subject: { ...pagesOf(scene, appId(0)), stop: async () => {} },
      floor: { ...pagesOf(scene, appId(1)), stop: scene.stop },
    }
  },
}
