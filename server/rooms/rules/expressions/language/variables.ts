import { type Held, heldKey, type SubjectField } from '../expression.ts'
import type { Lookup, RecordRoot } from '../scope.ts'

export const fieldVariable = (field: SubjectField): string => `subject.${field}`
export const appVariable = (appId: string): string => `app:${appId}`
export const entitlementVariable = (held: Held): string => `entitlement:${heldKey(held)}`
export const recordVariable = (root: RecordRoot, field: string): string => `${root}.${field}`
/** Each lookup is a separate function: callers cannot write a name with `@`. */
export const lookupFunction = (name: Lookup['name']): string => `@${name}`
