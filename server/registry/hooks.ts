import { entitlementsDeleted } from '#rooms/foundation/writes/index.ts'
import { requestTermsGone } from '#rooms/records/apps/index.ts'

/** Connects what rooms need done by rooms below them. These are loaded when it is done: most commands need none of them. */
export function connectHooks(): void {
  entitlementsDeleted.connect(async (...args) => {
    const { endRulesOf } = await import('#rooms/rules/automation/index.ts')
    await endRulesOf(...args)
  })
  requestTermsGone.connect(
    async (...args) => {
      const { deleteBindingsOf } = await import('#rooms/governance/forms/index.ts')
      await deleteBindingsOf(...args)
    },
    async (...args) => {
      const { deleteTermsOf } = await import('#rooms/governance/terms/index.ts')
      await deleteTermsOf(...args)
    },
  )
}
