import { may } from '#authority/may.ts'
import { seenAt } from '#authority/replies/index.ts'
import { ObjectPermissions } from '#kernel/expand.ts'
import type { Actor } from '#kernel/routes.ts'
import { fixed, int64, message, nested, neverSet, readOnly, struct, text, timestamp } from '#kernel/wire.ts'
import type { Resource } from '../records.ts'
import { annotationsShape, descriptionLength, nameLength } from '../shapes.ts'

export const ResourceMessage = seenAt(
  'resource',
  message(
    'app.v1.AppResource',
    {
      id: fixed(text()),
      appId: fixed(text()),
      appResourceTypeId: fixed(text()),
      externalId: readOnly(text()),
      displayName: text({ maxLength: nameLength }),
      description: text({ maxLength: descriptionLength }),
      customDescription: text({ maxLength: descriptionLength }),
      annotations: annotationsShape,
      matchBatonId: neverSet(text()),
      accessConfigId: neverSet(text()),
      profile: readOnly(struct()),
      parentAppResourceTypeId: fixed(text()),
      parentAppResourceId: fixed(text()),
      grantCount: readOnly(int64()),
      createdAt: readOnly(timestamp()),
      updatedAt: readOnly(timestamp()),
      deletedAt: readOnly(timestamp()),
    },
    'A resource in an app that access can be granted to. grantCount is the number of accounts that have one of its entitlements.',
  ),
  { owned: 'all', held: { without: ['annotations', 'externalId', 'profile', 'grantCount'] } },
)

export const ResourceView = message('app.v1.AppResourceView', {
  appResource: nested(ResourceMessage),
  appPath: readOnly(text()),
  resourceTypePath: readOnly(text()),
  parentResourceTypePath: readOnly(text()),
  parentResourcePath: readOnly(text()),
  objectPermissions: nested(ObjectPermissions),
})

export type ResourcePaths = {
  appPath: string
  resourceTypePath: string
  parentResourceTypePath: string
  parentResourcePath: string
}
const nowhere: ResourcePaths = {
  appPath: '',
  resourceTypePath: '',
  parentResourceTypePath: '',
  parentResourcePath: '',
}

/** A resource in the form of the API. */
export const resourceOnWire = <R extends object>(resource: R) => ({ ...resource, matchBatonId: '', accessConfigId: '' })

export const resourceView = ({ permissions }: Pick<Actor, 'permissions'>, resource: Resource, paths = nowhere) => ({
  appResource: resourceOnWire(resource),
  ...paths,
  objectPermissions: {
    read: may({ permissions }, 'apps.read'),
    edit: may({ permissions }, 'apps.edit'),
    delete: may({ permissions }, 'apps.edit'),
  },
})

/** A resource as a related object: without its count. */
export function resourceAsNeighbour(resource: Omit<Resource, 'grantCount'>): object {
  const { grantCount: _, ...rest } = ResourceMessage.write(resourceOnWire(resource))
  return rest
}
