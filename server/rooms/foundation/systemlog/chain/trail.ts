/**
 * What a writer states with each event, protected by the event's MAC. A writer is one process in one tenant. Its
 * numbers begin at 1; a transaction that rolls back leaves a number unused, so gaps alone prove nothing. `count` is the
 * proof: of the numbers up to `floor`, all settled by then, this many were committed. A missing one is found by
 * counting.
 */
export type Trail = {
  writer: string
  number: number
  floor: number
  count: number
  /** The last link that the writer knew, and the beginning of its MAC; 0 and empty if it knew none. */
  head: number
  headMac: string
}

/** 128 bits: enough that nobody finds a second link with them. */
const headMacDigits = 32

export const trailText = ({ writer, number, floor, count }: Omit<Trail, 'head' | 'headMac'>, head: HeadKnown | null) =>
  `${writer} ${number} ${floor} ${count} ${head?.sealNumber ?? 0} ${head ? shortMac(head.mac) : ''}`

export type HeadKnown = { sealNumber: number; mac: Uint8Array }
export const shortMac = (mac: Uint8Array): string => Buffer.from(mac).toString('hex').slice(0, headMacDigits)

/** Null for events of versions that wrote none. */
export function readTrail(text: string | null): Trail | null {
  if (text === null) return null
  const [writer = '', number, floor, count, head, headMac = ''] = text.split(' ')
  return {
    writer,
    number: Number(number),
    floor: Number(floor),
    count: Number(count),
    head: Number(head),
    headMac,
  }
}
