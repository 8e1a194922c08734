import type { Seals } from '#kernel/seals.ts'

type Value = string | number | boolean | Date | Uint8Array | null | readonly string[]

/**
 * What is kept of how people sign in carries a MAC under the secret key over everything that it says, bound to its tenant
 * and to what kind of record it is: a row that was written, changed or copied elsewhere by another hand does not count.
 */
export const rowMac = (seals: Seals, kind: string, tenantId: number, values: readonly Value[]): Buffer =>
  seals.mac(`row: ${kind}`, String(tenantId), JSON.stringify(values.map(plain)))

// Told apart by kind: text that looks like a time, or like bytes, is neither.
function plain(value: Value): unknown {
  if (value instanceof Date) return { time: value.getTime() }
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') }
  return value
}
