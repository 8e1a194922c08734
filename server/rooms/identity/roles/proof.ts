import type { Seals } from '#kernel/seals.ts'

/** What a role permits is determined by these columns; its display name may be anything. */
export type ProvenRole = { id: string; name: string; permissions: readonly string[] }
/** Who has a role, since when, and with which email address at that time. */
export type ProvenAssignment = { userId: string; roleId: string; grantedAt: Date; email: string }

export const roleMac = (seals: Seals, tenantId: number, { id, name, permissions }: ProvenRole): Buffer =>
  seals.mac('role', String(tenantId), id, name, JSON.stringify(permissions))

export const assignmentMac = (seals: Seals, tenantId: number, assignment: ProvenAssignment): Buffer => {
  const { userId, roleId, grantedAt, email } = assignment
  return seals.mac('role assignment', String(tenantId), userId, roleId, String(grantedAt.getTime()), email)
}
