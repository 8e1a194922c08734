import type { AppEntitlement } from '#client/api/types.ts'

export const purposeWords: Readonly<Partial<Record<AppEntitlement['purpose'], string>>> = {
  APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT: 'Membership',
  APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION: 'Permission',
  APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP: 'Ownership',
}
