import { Refusal } from '#kernel/refusals.ts'

/** RFC 7644 section 3.12, table 9. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'

export const scimRefusal = (scimType: ScimType, detail: string): Refusal =>
  new Refusal('SCIM_REFUSED', detail, { metadata: { scimType } })

export const notUnique = (detail: string): Refusal =>
  new Refusal('SCIM_UNIQUENESS', detail, { metadata: { scimType: 'uniqueness' } })

export const resourceNotFound = (id: string): Refusal =>
  new Refusal('SCIM_RESOURCE_NOT_FOUND', `Resource ${id} not found.`)

export const nothingAt = (path: string): Refusal =>
  new Refusal('SCIM_RESOURCE_NOT_FOUND', `There is no SCIM endpoint ${path}.`)

export const versionMismatch = (): Refusal =>
  new Refusal('VERSION_MISMATCH', 'The resource has changed: If-Match does not name its current version.')

export const notImplemented = (what: string): Refusal =>
  new Refusal('NOT_IMPLEMENTED', `${what} is not supported by this service; see ServiceProviderConfig.`)

export const methodNotAllowed = (method: string, allow: string): Refusal =>
  new Refusal('METHOD_NOT_ALLOWED', `${method} is not allowed at this path; use ${allow}.`, { metadata: { allow } })

export const notFilterable = (): Refusal =>
  new Refusal('PERMISSION_DENIED', 'These documents cannot be filtered.', { metadata: { permission: '' } })
