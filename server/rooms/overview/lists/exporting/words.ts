import type { Call } from '#kernel/routes.ts'
import { nameThings } from '../../names/index.ts'
import type { Json, List } from '../list.ts'

/** What an export contains: as its event says, and as its file is called. */
export type Exported = { list: List; words: string; fileName: string }

type Asked = { path: Readonly<Record<string, string>>; asked: Json }

/** `the members of Admin of firmware-core (Source Code) as of 2026-08-01 00:00 UTC`, or `the list of apps`. */
export async function exportedOf(call: Call, list: List, { path, asked }: Asked): Promise<Exported> {
  const named = await nameThings(call.db, call.tenant.id, Object.values(path))
  const entitlement = named.find(({ type }) => type === 'entitlement')
  const subject = entitlement ? `${entitlement.displayName} (${entitlement.appName})` : ''
  const asOf = asked['asOf'] instanceof Date ? asked['asOf'] : null
  const words = [
    subject === '' ? `the list of ${list.name}` : `the ${list.name} of ${subject}`,
    asOf && `as of ${asOf.toISOString().slice(0, 'YYYY-MM-DDTHH:mm'.length).replace('T', ' ')} UTC`,
  ]
  const day = (asOf ?? call.now()).toISOString().slice(0, 'YYYY-MM-DD'.length)
  const parts = [list.name, slugOf(subject), day]
  return { list, words: words.filter(Boolean).join(' '), fileName: parts.filter((part) => part !== '').join('-') }
}

const slugLengthMax = 80

/** Letters that every file system stores: names may contain any others. */
const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^\w]+/g, '-')
    .replace(/_/g, '-')
    .slice(0, slugLengthMax)
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
