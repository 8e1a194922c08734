import type { Resource } from '../../resource.ts'
import { urns } from '../../resource.ts'
import type { DirectoryUser, Membership } from './user.ts'

export const etagOf = (version: number): string => `W/"${version}"`

export function viewUser(base: string, user: DirectoryUser, groups: readonly Membership[] | null): Resource {
  const location = `${base}/Users/${user.id}`
  const hasExtension = user.resource[urns.enterprise] !== undefined
  return {
    schemas: hasExtension ? [urns.user, urns.enterprise] : [urns.user],
    id: user.id,
    ...user.resource,
    // Absent if a client removed it (RFC 7644 section 3.5.2.2).
    ...('active' in user.resource && { active: user.isActive }),
    ...(groups &&
      groups.length > 0 && {
        groups: groups.map(({ id, displayName }) => ({
          value: id,
          $ref: `${base}/Groups/${id}`,
          display: displayName,
          type: 'direct',
        })),
      }),
    meta: {
      resourceType: 'User',
      created: user.createdAt.toISOString(),
      lastModified: user.updatedAt.toISOString(),
      location,
      version: etagOf(user.version),
    },
  }
}
