import { seenAt } from '#authority/replies/index.ts'
import { list, message, nested, readOnly, text, timestamp } from '#kernel/wire.ts'
import type { ResourceType } from '../records.ts'
import { nameLength } from '../shapes.ts'

const traitsMax = 100

export const ResourceTypeMessage = seenAt(
  'resource type',
  message(
    'app.v1.AppResourceType',
    {
      id: readOnly(text()),
      appId: readOnly(text()),
      displayName: text({ maxLength: nameLength }),
      traitIds: list(text({ maxLength: nameLength }), traitsMax),
      createdAt: readOnly(timestamp()),
      updatedAt: readOnly(timestamp()),
      deletedAt: readOnly(timestamp()),
    },
    'A kind of resource in an app.',
  ),
  { seen: 'all' },
)

export const ResourceTypeView = message('app.v1.AppResourceTypeView', {
  appResourceType: nested(ResourceTypeMessage),
  appPath: readOnly(text()),
})

export const resourceTypeView = (type: ResourceType) => ({ appResourceType: type, appPath: '' })
