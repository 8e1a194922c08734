import type { Claim } from '../claim.ts'
import { accounts, copyIn, dump, grants, openScene, printed, refuseMemory, release, sync } from '../connector-sync.ts'
import { withDatabase } from '../ground.ts'

export const claim: Claim = {
  claim:
    `The first sync of a connector's file of ${accounts} accounts and ${grants} grants takes in at least 0.3 as many records a ` +
    'second as COPY of the same rows into the same tables, with less than 400 MiB of memory.',
  unit: 'records/s',
  ratioMin: 0.3,
  rounds: accounts > 20_000 ? 1 : 3,
  isCold: true,
  release,
  async start() {
    const scene = await openScene()
    const records = accounts + grants
    return {
      subject: {
        round: () =>
          withDatabase(scene.ground, async (url) => {
            const synced = await sync(scene, url, scene.files[0])
            console.log(printed('sync', synced))
            refuseMemory(synced)
            await dump(scene, url)
            return records / synced.seconds
          }),
        stop: async () => {},
      },
      floor: {
        round: () =>
          withDatabase(scene.ground, async (url) => {
            const seconds = await copyIn(scene, url)
            console.log(`      copy ${seconds.toFixed(1)} s`)
            return records / seconds
          }),
        stop: async () => {},
      },
    }
  },
}
