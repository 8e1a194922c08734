import { type FieldViolation, invalid, Refusal } from '#kernel/refusals.ts'
import type { Tenancy } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { findRoles } from '#rooms/identity/roles/index.ts'
import { type CredentialKind, termsOf } from './kinds.ts'

export function refuseInvalid(kind: CredentialKind, problems: readonly (FieldViolation | null)[]): void {
  const { cidrsField, rolesField } = termsOf[kind]
  // Two rules may find the same problem.
  const once = new Map(problems.map((problem) => [JSON.stringify(problem), problem]))
  const [first, ...others] = [...once.values()]
    .filter((problem) => problem !== null)
    .map(({ field, description }) => ({
      field: field.replace(/^allowSourceCidr\b/, cidrsField).replace(/^scopedRoles$/, rolesField),
      description,
    }))
  if (first) throw invalid(first, ...others)
}

export const revoked = (): Refusal =>
  new Refusal('CREDENTIAL_REVOKED', 'The API credential was deleted or has expired.')

export const notFound = (id: string): Refusal =>
  new Refusal('CREDENTIAL_NOT_FOUND', `There is no API credential ${id}.`, { metadata: { id } })

export async function refuseUnknownRoles(
  tx: Tx,
  tenant: Tenancy,
  kind: CredentialKind,
  roleIds: readonly string[],
): Promise<void> {
  const known = new Set((await findRoles(tx, tenant.id, roleIds)).map((role) => role.id))
  const unknown = roleIds.filter((id) => !known.has(id))
  if (unknown.length > 0)
    throw invalid({ field: termsOf[kind].rolesField, description: `there is no role ${unknown.join(', ')}` })
}
