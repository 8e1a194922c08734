import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { toSingleLine } from '#kernel/single-line.ts'

/** How much of a line is read, of which its beginning is kept. */
const lineReadMax = 16_384
export const lineKeptMax = 500
const shortest = 4
const replacement = '[redacted]'
// ECMA-48 5.4: what terminals take for commands, such as colours.
// oxlint-disable-next-line no-control-regex -- These are what it is about.
const commands = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g

/** The forms in which a program may print a secret: as it is, in JSON, in a URL, in Base64, and each of its lines. */
export function formsOf(secret: string): string[] {
  const parts = [
    secret,
    ...secret.split(/[\r\n]+/).filter((line) => line.length >= 8),
    // Within a connection string, the password is what matters.
    ...[...secret.matchAll(/(?:password|pwd|secret|token)\s*=\s*([^;\s&]+)/gi)].map(([, value = '']) => value),
    ...[...secret.matchAll(/:\/?\/?[^:@/\s]*:([^@\s]+)@/g)].map(([, value = '']) => value),
    ...[...secret.matchAll(/^[^:@/\s]+:([^@\s]+)@/g)].map(([, value = '']) => value),
  ]
  const forms = parts.flatMap((part) => [
    part,
    JSON.stringify(part).slice(1, -1),
    encodeURIComponent(part),
    decoded(part),
    Buffer.from(part).toString('base64').replace(/=+$/, ''),
    Buffer.from(part).toString('base64url'),
  ])
  return [...new Set(forms)].filter((form) => form.length >= shortest).toSorted((a, b) => b.length - a.length)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** A line of a program as it may be shown: without secrets, control characters and commands to terminals, and not too long. */
export function cleanLine(line: string, forms: readonly string[]): string {
  let text = line.replace(commands, '')
  for (const form of forms) text = text.replaceAll(form, replacement)
  const whole = toSingleLine(text.toWellFormed())
  return whole.length > lineKeptMax ? `${whole.slice(0, lineKeptMax)}…` : whole
}

export type OutputLimits = { bytesPerSecond: number; everyMs: number }
const usualOutput: OutputLimits = { bytesPerSecond: 131_072, everyMs: 1_000 }

/**
 * Reads what a program prints, line by line. A program that prints more than is read has to wait until it is read: it costs
 * itself the time, and the server none.
 */
export function readLines(
  stream: Readable,
  onLine: (line: string) => void,
  { output = usualOutput, lineMax = lineReadMax }: { output?: OutputLimits; lineMax?: number } = {},
): void {
  const { bytesPerSecond, everyMs } = output
  const decoder = new StringDecoder('utf8')
  let line = ''
  let isTooLong = false
  let budget = bytesPerSecond
  const refill = setInterval(() => {
    budget = bytesPerSecond
    if (stream.isPaused()) stream.resume()
  }, everyMs).unref()
  const take = (text: string): void => {
    if (!isTooLong) line += text.slice(0, lineMax - line.length)
    isTooLong ||= line.length >= lineMax
  }
  const end = (): void => {
    if (line !== '') onLine(line)
    line = ''
    isTooLong = false
  }
  stream.on('data', (chunk: Buffer) => {
    const pieces = decoder.write(chunk).split('\n')
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) end()
      take(piece)
    }
    budget -= chunk.length
    if (budget <= 0) stream.pause()
  })
  stream.on('error', () => {})
  stream.once('close', () => {
    clearInterval(refill)
    end()
  })
}
