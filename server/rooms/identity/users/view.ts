import { may } from '#authority/may.ts'
import { seenAt } from '#authority/replies/index.ts'
import { nameFields, workFields } from '#authority/sight/index.ts'
import { ObjectPermissions } from '#kernel/expand.ts'
import type { Actor } from '#kernel/routes.ts'
import { list, message, nested, oneOf, readOnly, struct, text, timestamp } from '#kernel/wire.ts'
import { sourceShapes } from './sources.ts'
import { type User, userOrigins, userStatuses, userTypes } from './user.ts'

export const UserMessage = seenAt(
  'user',
  message(
    'user.v1.User',
    {
      id: readOnly(text()),
      type: readOnly(oneOf(userTypes)),
      origin: readOnly(oneOf(userOrigins)),
      status: oneOf(userStatuses),
      directoryStatus: readOnly(oneOf(userStatuses)),
      displayName: readOnly(text()),
      email: readOnly(text()),
      emails: readOnly(list(text())),
      username: readOnly(text()),
      usernames: readOnly(list(text())),
      employeeIds: readOnly(list(text())),
      department: readOnly(text()),
      jobTitle: readOnly(text()),
      employmentType: readOnly(text()),
      employmentStatus: readOnly(text()),
      managerIds: readOnly(list(text())),
      roleIds: list(text()),
      delegatedUserId: text(),
      profile: readOnly(struct()),
      createdAt: readOnly(timestamp()),
      updatedAt: readOnly(timestamp()),
      deletedAt: readOnly(timestamp()),
      ...sourceShapes,
    },
    'A person or a service. delegatedUserId is their current delegate.',
  ),
  { record: 'all', work: { only: [...nameFields, ...workFields] }, name: { only: nameFields } },
)

export const UserView = message('user.v1.UserView', {
  user: nested(UserMessage),
  userId: readOnly(text()),
  rolesPath: readOnly(text()),
  managersPath: readOnly(text()),
  delegatedUserPath: readOnly(text()),
  objectPermissions: nested(ObjectPermissions),
})

/** Where a view's neighbours are in `expanded`. */
export type UserPaths = { rolesPath: string; managersPath: string; delegatedUserPath: string }

const permissionsOn = ({ permissions }: Pick<Actor, 'permissions'>) => ({
  read: true,
  edit: may({ permissions }, 'users.edit'),
  delete: false,
})

export const viewUser = (actor: Pick<Actor, 'permissions'>, user: User, paths: UserPaths) => ({
  user,
  userId: user.id,
  ...paths,
  objectPermissions: permissionsOn(actor),
})
