import type { Resource } from '../../resource.ts'
import { urns } from '../../resource.ts'
import { etagOf } from '../users/view.ts'
import type { DirectoryGroup, Member } from './group.ts'

export const viewGroup = (base: string, group: DirectoryGroup, members: readonly Member[] | null): Resource => ({
  schemas: [urns.group],
  id: group.id,
  ...(group.externalId !== null && { externalId: group.externalId }),
  displayName: group.displayName,
  ...(members &&
    members.length > 0 && {
      members: members.map(({ id, displayName }) => ({
        value: id,
        $ref: `${base}/Users/${id}`,
        type: 'User',
        ...(displayName !== undefined && { display: displayName }),
      })),
    }),
  meta: {
    resourceType: 'Group',
    created: group.createdAt.toISOString(),
    lastModified: group.updatedAt.toISOString(),
    location: `${base}/Groups/${group.id}`,
    version: etagOf(group.version),
  },
})
