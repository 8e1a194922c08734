import { useQuery } from '@tanstack/react-query'
import {
  leaverPlansGet,
  userAttributesListSources,
  userGet,
  userList,
  userMergesList,
  userSearch,
} from '#client/api/operations.ts'
import type { UserMerge } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'

/** What a merge, and a split, change. */
export const mergeReads = [userGet, userList, userSearch, userMergesList, userAttributesListSources, leaverPlansGet]

/** The merges of a user that were not undone: into whom they are merged, and who is merged into them. */
export function useMerges(userId: string): { into: UserMerge | null; others: readonly UserMerge[] } {
  const { may } = useSession()
  const { data } = useQuery({ ...read(userMergesList, { path: { user_id: userId } }), enabled: may('users.read') })
  const merges = (data?.list ?? []).filter(({ splitAt }) => splitAt === null)
  return {
    into: merges.find((each) => each.userId === userId) ?? null,
    others: merges.filter((each) => each.intoUserId === userId),
  }
}
