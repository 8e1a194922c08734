import { doubledMs } from '#kernel/retry.ts'
import type { Place } from '#rooms/foundation/systemlog/index.ts'
import type { Format } from './exporter.ts'

/** Before compression, as the published API has it. */
export const contentBytesMax = 2_500_000

export const nameLength = 200
const prefixLength = 200
export const exportsMax = 20

const segment = /^[A-Za-z0-9._=+@-]+$/

/** What is wrong with a prefix, or null. It becomes part of a path: no segment may lead out of it. */
export function prefixProblem(prefix: string): string | null {
  if (prefix === '') return null
  if (prefix.length > prefixLength) return `must have at most ${prefixLength} characters`
  if (prefix.startsWith('/')) return 'must not start with a slash'
  const segments = prefix.replace(/\/$/, '').split('/')
  return segments.every((each) => segment.test(each) && !/^\.+$/.test(each))
    ? null
    : 'must consist of letters, digits and the characters . _ - = + @ separated by single slashes, as in logs/bailiwick'
}

const extensions: Record<Format, string> = { gzip: 'gz', zstd: 'zst' }

const placeText = ([seal, position]: Place): string =>
  `${String(seal).padStart(12, '0')}.${String(position).padStart(4, '0')}`

type Named = {
  tenant: { publicId: string }
  exportId: string
  prefix: string
  format: Format
  first: Place
  last: Place
  /** When the first link of the file was sealed, and the MAC of the last one. */
  sealedAt: Date
  lastMac: Uint8Array
}

/**
 * The name of a file identifies a part of a chain and nothing else: the same events always have the same name, regardless of
 * which process writes them. The tenant comes first, so that no prefix leads into another tenant's files. The end of the
 * name comes from the chain: a log that continues differently after a backup was restored does not overwrite what was
 * exported before.
 */
export function fileName({ tenant, exportId, prefix, format, first, last, sealedAt, lastMac }: Named): string {
  const day = sealedAt.toISOString().slice(0, 10).replaceAll('-', '/')
  const chain = Buffer.from(lastMac).toString('hex').slice(0, 8)
  const folders = [tenant.publicId, ...prefix.split('/').filter((part) => part !== ''), exportId, day]
  return `${folders.join('/')}/${placeText(first)}-${placeText(last)}-${chain}.ocsf.json.${extensions[format]}`
}

/** The file next to it that proves where in the chain its events are. */
export const chainName = (name: string): string => name.replace(/\.ocsf\.json\.(gz|zst)$/, '.chain.json.$1')

const retryFirstMs = 30_000
const retryMaxMs = 3_600_000

/** When to try again after this many failures: a target that is down is tried less and less often. */
export const waitAfterMs = (failures: number): number =>
  doubledMs(failures, { firstMs: retryFirstMs, maxMs: retryMaxMs })
