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
