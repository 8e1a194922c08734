import { randomBytes } from 'node:crypto'

/**
 * KSUIDs: 4 bytes of seconds since 2014-05-13, 16 bytes of payload, written as 27 characters of base 62 whose order as
 * text (collation "C") is their order as numbers.
 *
 * A plain KSUID is ordered only to the second. Ours are in order of creation within a process: the payload begins with
 * the fraction of the second, and an id that would not be greater than the last one is the last one plus a random step.
 */
const epochSeconds = 1_400_000_000
const payloadBits = 128n
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const length = 27

export const idPattern = /^[0-9A-Za-z]{27}$/

const random = (bytes: number): bigint => BigInt(`0x${randomBytes(bytes).toString('hex')}`)

function text(value: bigint): string {
  let rest = value
  let out = ''
  for (let i = 0; i < length; i++) {
    out = alphabet[Number(rest % 62n)] + out
    rest /= 62n
  }
  return out
}

/** A maker of ids. `now` is the clock, in milliseconds. */
export function idMaker(now: () => number): () => string {
  let last = 0n
  return () => {
    const milliseconds = now()
    const seconds = Math.floor(milliseconds / 1000)
    const fraction = Math.floor(((milliseconds - seconds * 1000) / 1000) * 65_536)
    let next = (BigInt(seconds - epochSeconds) << payloadBits) | (BigInt(fraction) << 112n) | random(14)
    // 64 random bits on top of the last id: greater, and still not to be guessed.
    if (next <= last) next = last + 1n + random(8)
    last = next
    return text(next)
  }
}

/** When an id was made, to the second. */
export function idTime(id: string): Date {
  let value = 0n
  for (const character of id) value = value * 62n + BigInt(alphabet.indexOf(character))
  return new Date((Number(value >> payloadBits) + epochSeconds) * 1000)
}
