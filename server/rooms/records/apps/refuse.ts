import { type FieldViolation, invalid, Refusal } from '#kernel/refusals.ts'
import { profilesAppId } from '#rooms/foundation/writes/index.ts'

/** Refuses input, with everything that is wrong with it. */
export function refuseProblems(...problems: (FieldViolation | null)[]): void {
  const [first, ...others] = problems.filter((problem) => problem !== null)
  if (first) throw invalid(first, ...others)
}

export const appNotFound = (appId: string): Refusal =>
  new Refusal('APP_NOT_FOUND', `There is no app ${appId}.`, { metadata: { appId } })

export const resourceTypeNotFound = (appId: string, id: string): Refusal =>
  new Refusal('RESOURCE_TYPE_NOT_FOUND', `The app ${appId} has no resource type ${id}.`, {
    metadata: { appId, appResourceTypeId: id },
  })

export const resourceNotFound = (appId: string, typeId: string, id: string): Refusal =>
  new Refusal('RESOURCE_NOT_FOUND', `The app ${appId} has no resource ${id} of the type ${typeId}.`, {
    metadata: { appId, appResourceTypeId: typeId, appResourceId: id },
  })

export const entitlementNotFound = (appId: string, id: string): Refusal =>
  new Refusal('ENTITLEMENT_NOT_FOUND', `The app ${appId} has no entitlement ${id}.`, {
    metadata: { appId, appEntitlementId: id },
  })

/** The app of access profiles holds one entitlement for each of them, and cannot be deleted with them. */
export function refuseBuiltInApp(appId: string): void {
  if (appId === profilesAppId)
    throw new Refusal('APP_BUILT_IN', 'This app is built in. Create, change and delete access profiles instead.', {
      metadata: { appId },
    })
}
