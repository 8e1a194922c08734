export const fileBytesMax = 5 * 1024 * 1024
export const filesMax = 5
/** Of one tenant, in all. */
export const tenantBytesMax = 2 * 1024 * 1024 * 1024
const nameLength = 200

/** The types of files that can be attached, with what such a file begins with; text is checked as a whole. */
const beginnings: Readonly<Record<string, readonly number[]>> = {
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff],
  'application/pdf': [0x25, 0x50, 0x44, 0x46, 0x2d],
}
const texts = ['text/plain', 'text/csv']
export const mediaTypes: readonly string[] = [...Object.keys(beginnings), ...texts]

const isText = (content: Buffer): boolean => {
  if (content.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content)
    return true
  } catch {
    return false
  }
}

/** Whether a file is what its type says. */
export const isOfType = (type: string, content: Buffer): boolean =>
  texts.includes(type) ? isText(content) : (beginnings[type]?.every((byte, place) => content[place] === byte) ?? false)

// oxlint-disable-next-line no-control-regex -- They are what is removed: the name is shown, and sent in a header.
const unsafe = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069"\\/:*?<>|]+/g

/** The name of a file as it is kept: one line, without folders. */
export const nameOf = (asked: string): string => asked.replace(unsafe, '_').trim().slice(0, nameLength) || 'file'

/** A complete reading of an app: of a connector's sync or a full import. */
export type Reading = { importId: string; startedAt: Date; finishedAt: Date; byConnector: boolean }
/** What imports said of the access: since when they found it, and until when. */
export type Found = { beganAt: Date; endedAt: Date | null }

export type Check = { is: 'confirmed' | 'not confirmed' | 'waiting'; at: Date | null; byConnector: boolean }

const isOpenAt = ({ beganAt, endedAt }: Found, at: Date): boolean => beganAt <= at && (endedAt === null || endedAt > at)

/**
 * What later imports say of a change that a person made: whether the app has the access that was to be granted, or no longer
 * has what was to be removed. `first` and `last` are the complete readings since then; without any, what was found in part
 * confirms that access is there, but nothing says that it is not.
 */
export function checkOf(
  kind: 'grant' | 'revoke',
  since: Date,
  { first, last, found }: { first: Reading | null; last: Reading | null; found: readonly Found[] },
): Check {
  const isThere = (reading: Reading): boolean => found.some((each) => isOpenAt(each, reading.finishedAt))
  const by = (is: Check['is'], reading: Reading): Check => ({
    is,
    at: reading.finishedAt,
    byConnector: reading.byConnector,
  })
  if (kind === 'grant') {
    if (first && isThere(first)) return by('confirmed', first)
    const [seen] = found
      .filter(({ beganAt }) => beganAt >= since)
      .toSorted((a, b) => a.beganAt.getTime() - b.beganAt.getTime())
    if (seen) return { is: 'confirmed', at: seen.beganAt, byConnector: last?.byConnector ?? false }
    return last ? by('not confirmed', last) : { is: 'waiting', at: null, byConnector: false }
  }
  if (!first || !last) return { is: 'waiting', at: null, byConnector: false }
  if (isThere(last)) return by('not confirmed', last)
  return by('confirmed', isThere(first) ? last : first)
}
