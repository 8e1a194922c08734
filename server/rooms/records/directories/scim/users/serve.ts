import type { DoorReply } from '#kernel/doors.ts'
import { listUsers } from '../list.ts'
import { readChanges } from '../patch.ts'
import { asksFor } from '../project.ts'
import { readResource } from '../reading.ts'
import { resourceNotFound } from '../refuse.ts'
import { userType } from '../schema.ts'
import { type Resources, serveResources } from '../serve.ts'
import type { Serving } from '../serving.ts'
import { changeUser, deleteUser, patchedBy, replaced } from './actions.ts'
import { createUser } from './create.ts'
import { findDirectoryUser, listGroupsOf } from './store.ts'
import type { DirectoryUser } from './user.ts'
import { viewUser } from './view.ts'

export function userResources({ scim, base }: Pick<Serving, 'scim' | 'base'>): Resources<DirectoryUser> {
  const { call, directory } = scim
  const [tenantId, { appId }] = [call.tenant.id, directory]
  return {
    type: userType,
    answersPatch: true,
    list: (search) => listUsers(scim, search),
    async find(id) {
      const user = await findDirectoryUser(call.db, tenantId, appId, id)
      if (!user) throw resourceNotFound(id)
      return user
    },
    create: (body) => createUser(scim, readResource(userType, body)),
    replace: (id, body, precondition) => changeUser(scim, id, replaced(readResource(userType, body)), precondition),
    patch: (id, body, precondition) => {
      const changes = readChanges(userType, body)
      return changeUser(scim, id, patchedBy(changes), precondition)
    },
    remove: (id, precondition) => deleteUser(scim, id, precondition),
    async view(rows, asked) {
      const ids = rows.map(({ id }) => id)
      const groups = asksFor(userType, asked, 'groups') ? await listGroupsOf(call.db, tenantId, appId, ids) : []
      const byUser = Map.groupBy(groups, ({ accountId }) => accountId)
      return rows.map((row) => viewUser(base, row, byUser.get(row.id) ?? null))
    },
  }
}

export const serveUsers = (serving: Serving): Promise<DoorReply> => serveResources(serving, userResources(serving))
