import type { Seals } from '#kernel/seals.ts'

type Value = string | number | boolean | Date | Uint8Array | null | readonly string[]

/**
 * Rows about how people sign in have a MAC with the secret key over all their values, bound to the tenant and to the
 * kind of row: a row that was written, changed or copied elsewhere by anything else does not count.
 */
export const rowMac = (seals: Seals, kind: string, tenantId: number, values: readonly Value[]): Buffer =>
  seals.mac(`row: ${kind}`, String(tenantId), JSON.stringify(values.map(plain)))

// Distinguished by kind: a text that looks like a time, or like bytes, is neither.
function plain(value: Value): unknown {
  if (value instanceof Date) return { time: value.getTime() }
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') }
  return value
}
