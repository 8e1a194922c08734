import type { Claim } from '../claim.ts'
import { largeApp, lastPageToken, listPath, pagesOf, startScene } from '../entitlements.ts'

export const claim: Claim = {
  claim: 'The last page of the entitlements of an app with 100,000 comes as fast as the first, within 10%.',
  unit: 'pages/s',
  ratioMin: 0.9,
  rounds: 9,
  async start() {
    const scene = await startScene()
    const last = await lastPageToken(scene, largeApp)
    return {
      subject: { ...pagesOf(scene, listPath(largeApp, last)), stop: scene.stop },
      floor: { ...pagesOf(scene, listPath(largeApp)), stop: async () => {} },
    }
  },
}
