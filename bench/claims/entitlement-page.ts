import type { Claim } from '../claim.ts'
import { largeApp, listPath, pagesOf, startScene } from '../entitlements.ts'
import { startScript } from '../processes.ts'

export const claim: Claim = {
  claim:
    'A page of 25 entitlements of an app with 100,000 comes at least 0.6 times as fast as from a bare node:http server ' +
    'that runs the same SQL through the same driver and stringifies the same JSON.',
  unit: 'pages/s',
  ratioMin: 0.6,
  rounds: 7,
  async start() {
    const scene = await startScene()
    const { dataDir, tenantId } = scene
    const floor = await startScript('bare-page.ts', { dataDir, tenantId, appId: largeApp })
    return {
      subject: { ...pagesOf(scene, listPath(largeApp)), stop: scene.stop },
      floor: { ...pagesOf({ ...scene, port: floor.port }, '/'), stop: floor.stop },
    }
  },
}
