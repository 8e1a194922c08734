import type { Claim } from '../claim.ts'
import { largeApp, listPath, pagesOf, smallApp, startScene } from '../entitlements.ts'

export const claim: Claim = {
  claim: 'A page of the entitlements of an app with 100,000 costs what one of an app with 100 costs, within 20%.',
  unit: 'pages/s',
  ratioMin: 0.8,
  rounds: 9,
  async start() {
    const scene = await startScene()
    return {
      subject: { ...pagesOf(scene, listPath(largeApp)), stop: scene.stop },
      floor: { ...pagesOf(scene, listPath(smallApp)), stop: async () => {} },
    }
  },
}
