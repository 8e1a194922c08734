import type { Call } from '#kernel/routes.ts'
import type { Reads } from '#kernel/sql.ts'
import type { Field, FieldGroup, FieldRelationship, visibilities } from './shapes.ts'

export type FormTerms = {
  name: string
  description: string
  fields: readonly Field[]
  fieldGroups: readonly FieldGroup[]
  fieldRelationships: readonly FieldRelationship[]
  justificationVisibility: (typeof visibilities)[number]
}

export type Form = FormTerms & { id: string; createdAt: Date; updatedAt: Date; deletedAt: Date | null }

export type EntitlementRef = { appId: string; id: string }

/** Whether a caller may request an entitlement. Tasks are a room further down: server/registry/routes.ts passes this in. */
export type MayRequest = (db: Reads, call: Call, ref: EntitlementRef) => Promise<boolean>
