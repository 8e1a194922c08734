import { joined, wordsOf } from '#kernel/search.ts'
import type { Reads } from '#kernel/sql.ts'

const patternOf = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`

/** Access profiles whose names have all the words. There are hundreds of them: their names are looked through. */
export async function findProfiles(
  db: Reads,
  tenantId: number,
  query: string,
  limit: number,
): Promise<{ id: string; displayName: string; description: string }[]> {
  return db<{ id: string; displayName: string; description: string }[]>`
    select p.profile_id as id, p.display_name as "displayName", p.description from profiles p
    where p.tenant_id = ${tenantId} and p.deleted_at is null
      ${joined(
        db,
        wordsOf(query).map((word) => db`and p.display_name ilike ${patternOf(word)}`),
      )}
    order by p.display_name, p.profile_id limit ${limit}`
}
