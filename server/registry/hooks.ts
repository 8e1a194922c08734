import { entitlementsDeleted } from '#rooms/foundation/writes/index.ts'
import { accessGone, requestTermsGone } from '#rooms/records/apps/index.ts'
import { valueDeleted } from '#rooms/records/attributes/index.ts'

/** Connects what rooms need done by rooms below them. These are loaded when it is done: most commands need none of them. */
export function connectHooks(): void {
  entitlementsDeleted.connect(async (...args) => {
    const { endRulesOf } = await import('#rooms/rules/automation/index.ts')
    await endRulesOf(...args)
  })
  valueDeleted.connect(async (...args) => {
    const { clearValue } = await import('#rooms/records/apps/index.ts')
    return clearValue(...args)
  })
  accessGone.connect(
    async (tx, tenantId, { appId, isApp }, { at }) => {
      const { deleteAccounts } = await import('#rooms/records/accounts/index.ts')
      return { accounts: isApp ? await deleteAccounts(tx, tenantId, appId, 'all', at) : 0 }
    },
    async (...args) => {
      const { endGrantsOfEntitlements } = await import('#rooms/records/grants/index.ts')
      return { grants: await endGrantsOfEntitlements(...args) }
    },
  )
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
