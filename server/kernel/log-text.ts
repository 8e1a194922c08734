import { writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'

type Line = {
  level?: string
  time?: string
  msg?: string
  worker?: number
  ms?: number
  method?: string
  path?: string
  status?: number
  err?: { name?: string; message?: string; stack?: string }
} & Record<string, unknown>

const two = (n: number): string => String(n).padStart(2, '0')
const clockTime = (time: Date): string => [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')

const duration = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`)

// Nothing that a caller sends can move the cursor or set the title: C0, DEL and C1 are shown as their numbers
// (ECMA-48).
const controls = /(?!\n)\p{Cc}/gu
const harmless = (text: string): string =>
  text.replace(controls, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`)

const shown = (value: unknown): string =>
  typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value)

/** A line of the log for people: the time of day, what happened, its details, and how long it took. */
export function textLine(json: string): string {
  const { level, time, msg, worker, ms, err, method, path, status, ...rest } = JSON.parse(json) as Line
  const request = method === undefined ? undefined : `${method} ${path} ${status}`
  const about = err?.message && err.message !== msg ? `: ${err.message}` : ''
  const parts = [
    clockTime(time === undefined ? new Date() : new Date(time)),
    level === undefined || level === 'info' ? '' : level.toUpperCase(),
    worker === undefined || worker === 0 ? '' : `[worker ${worker}]`,
    `${[msg, request].filter((part) => part !== undefined).join(' ')}${about}`,
    ...Object.entries(rest)
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([name, value]) => `${name}=${shown(value)}`),
    ms === undefined ? '' : `(${duration(ms)})`,
  ]
  const first = parts
    .filter((part) => part !== '')
    .join(' ')
    .replaceAll('\n', ' ')
  const stack = (err?.stack ?? '').split('\n').slice(1)
  return harmless([first, ...stack].join('\n')) + '\n'
}

/** Clears the line of the cursor, such as one that shows progress. */
export const clearedLine = '\r\u001b[K'

const lastWordsMs = 2_000

/** Synchronously. Waits for a slow reader, but not for one that does not read. */
export function writeNow(text: string): void {
  const giveUpAt = performance.now() + lastWordsMs
  const sleeper = new Int32Array(new SharedArrayBuffer(4))
  for (let rest = Buffer.from(text); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(2, rest))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || performance.now() > giveUpAt) return
      Atomics.wait(sleeper, 0, 0, 5)
    }
  }
}

/** Standard error, for people: each line at once, so that what is printed after it comes after it. */
export const forPeople = (isTerminal: boolean, write = writeNow): DestinationStream => ({
  write: (line) => write(`${isTerminal ? clearedLine : ''}${textLine(line)}`),
})
