import type { DoorReply } from '#kernel/doors.ts'
import { isObject, type Resource } from '../../resource.ts'
import { listGroups } from '../list.ts'
import { readChanges } from '../patch.ts'
import { asksFor, asksForSub } from '../project.ts'
import { readResource } from '../reading.ts'
import { resourceNotFound } from '../refuse.ts'
import { groupType } from '../schema.ts'
import { type Resources, serveResources } from '../serve.ts'
import type { Serving } from '../serving.ts'
import { changeGroup, createGroup, deleteGroup, groupPatchedBy, replacedBy } from './actions.ts'
import { idsIn } from './decide.ts'
import type { DirectoryGroup } from './group.ts'
import { findGroup, listMembers } from './store.ts'
import { viewGroup } from './view.ts'

/** Members are not stored as a part of the resource: there may be many. */
function readGroup(sent: unknown): { resource: Resource; memberIds: string[] } {
  if (!isObject(sent)) return { resource: readResource(groupType, sent), memberIds: [] }
  const isMembers = (name: string): boolean => name.toLowerCase() === 'members'
  const described = Object.fromEntries(Object.entries(sent).filter(([name]) => !isMembers(name)))
  const [, members] = Object.entries(sent).find(([name]) => isMembers(name)) ?? []
  return { resource: readResource(groupType, described), memberIds: idsIn(members) }
}

export function groupResources({ scim, base }: Pick<Serving, 'scim' | 'base'>): Resources<DirectoryGroup> {
  const { call, directory } = scim
  const [tenantId, { appId }] = [call.tenant.id, directory]
  return {
    type: groupType,
    // It may have many members that the client does not need: RFC 7644 section 3.5.2 leaves the choice.
    answersPatch: false,
    list: (search) => listGroups(scim, search),
    async find(id) {
      const group = await findGroup(call.db, tenantId, appId, id)
      if (!group) throw resourceNotFound(id)
      return group
    },
    create: (body) => {
      const { resource, memberIds } = readGroup(body)
      return createGroup(scim, resource, memberIds)
    },
    replace: (id, body, precondition) => {
      const { resource, memberIds } = readGroup(body)
      return changeGroup(scim, id, replacedBy(resource, memberIds), precondition)
    },
    patch: (id, body, precondition) => {
      const changes = readChanges(groupType, body)
      return changeGroup(scim, id, groupPatchedBy(changes), precondition)
    },
    remove: (id, precondition) => deleteGroup(scim, id, precondition),
    async view(rows, asked) {
      const ids = rows.map(({ id }) => id)
      const isNamed = asksForSub(groupType, asked, 'members', 'display')
      const members = asksFor(groupType, asked, 'members')
        ? await listMembers(call.db, tenantId, appId, ids, isNamed)
        : []
      const byGroup = Map.groupBy(members, ({ groupId }) => groupId)
      return rows.map((row) => viewGroup(base, row, byGroup.get(row.id) ?? null))
    },
  }
}

export const serveGroups = (serving: Serving): Promise<DoorReply> => serveResources(serving, groupResources(serving))
