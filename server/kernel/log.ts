import pino, { type DestinationStream, type Logger } from 'pino'
import { writeNow } from './log-text.ts'

/**
 * Secrets are never passed to the log (no header, query or body is). As a second safeguard, whatever looks like a
 * secret in a message or an error is redacted in the finished line.
 */
const secrets = new RegExp(
  [
    'secret-token(?::|%3a)[^"\\s\\\\]+',
    '\\beyJ[\\w-]{8,}\\.[\\w-]+\\.[\\w-]*',
    '(?<kept>\\bbearer )[\\w.~+/=-]+',
    '(?<kept>\\bpostgres(?:ql)?://)[^"\\s\\\\]+(?=@)',
    '(?<kept>"d\\\\?": ?\\\\?")[\\w-]{40,}',
  ].join('|'),
  'gi',
)

// With a group for the part that is kept, rather than a look-behind, a line costs 0.5 µs rather than 3.
export const strikeSecrets = (line: string): string => line.replace(secrets, '$<kept>[redacted]')

const gatherMs = 3
const underWayMs = 50
const isUrgent = (line: string): boolean => !line.startsWith('{"level":"info"')

/**
 * Several processes may write to one pipe. What is written at once, up to 4 KiB, stays together (PIPE_BUF, pipe(7)), so
 * that no other process writes in the middle of a line. So no write is longer, and hardly any line: what callers send
 * is truncated in their lines (request-line.ts), and so are errors.
 */
const sharedPipeBytes = 4096
const sharedErrorMax = { message: 400, stack: 1400 }

/** Lines in as few parts as fit into the pipe at once. */
export function partsOf(lines: readonly string[]): string[] {
  const parts: string[] = []
  let free = 0
  for (const line of lines) {
    const bytes = Buffer.byteLength(line)
    if (bytes <= free) parts[parts.length - 1] += line
    else parts.push(line)
    free = bytes <= free ? free - bytes : sharedPipeBytes - bytes
  }
  return parts
}

/**
 * Lines of requests are written together, those of 3 ms in one write: separate writes were half of the cost of a line,
 * and pino's stream measures everything that waits again with each line. Lines of other levels than info are written at
 * once, together with those before them; so is the rest when the process exits.
 */
function gathering(isShared: boolean): DestinationStream {
  // With 1, each part is a separate write; longer ones are not divided either.
  const to = pino.destination({ fd: 2, sync: false, ...(isShared && { maxWrite: 1 }) })
  let lines: string[] = []
  let timer: NodeJS.Timeout | null = null
  let isWatching = false
  let isUnderWay = false
  to.on('drain', () => {
    isUnderWay = false
  })
  const write = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
    isUnderWay = true
    const written = lines
    lines = []
    if (isShared) for (const part of partsOf(written)) to.write(part)
    else to.write(written.join(''))
  }
  /** Synchronously: what a thread still writes when the process ends is truncated if the reader was slow. */
  const writeLast = (): void => {
    // A write that a thread has begun cannot be awaited here, only be given some time. It comes first.
    if (isUnderWay) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, underWayMs)
    to.flushSync()
    for (const part of isShared ? partsOf(lines) : [lines.join('')]) writeNow(part)
    lines = []
  }
  return {
    write(line) {
      lines.push(line)
      if (!isWatching) process.once('exit', writeLast)
      isWatching = true
      if (isUrgent(line)) write()
      else timer ??= setTimeout(write, gatherMs)
    },
  }
}

/** One JSON object per line. An error is logged with its name, message, code and stack, and none of its other properties. */
export const openLog = (
  level: string,
  to?: DestinationStream,
  /** For one of several processes that write to one pipe: what is added to each line, if anything. */
  mixin?: () => object,
): Logger =>
  pino(
    {
      level,
      ...(mixin && { mixin }),
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: {
        err: (error: unknown) => {
          // Anything can be thrown.
          if (typeof error !== 'object' || error === null) return { message: String(error) }
          const { name, message, code, stack } = error as Error & { code?: string }
          if (!mixin) return { name, message, code, stack }
          return { name, message: cut(message, sharedErrorMax.message), code, stack: cut(stack, sharedErrorMax.stack) }
        },
      },
      hooks: { streamWrite: strikeSecrets },
    },
    to ?? gathering(mixin !== undefined),
  )

/** The beginning of a text that is too long. Half of a secret may no longer look like one, so secrets are redacted first. */
export const cut = <T>(text: T, most: number): T | string =>
  typeof text === 'string' && text.length > most ? `${strikeSecrets(text).slice(0, most)}…` : text

/**
 * Writes lines that are finished objects, with what is added to the log's other lines, and with secrets redacted as in
 * them.
 */
export function lineWriter(log: Logger): (line: string) => void {
  const of = log as unknown as Record<symbol, unknown>
  const stream = of[pino.symbols.streamSym] as DestinationStream
  const mixin = of[pino.symbols.mixinSym] as (() => object) | undefined
  const extended = (line: string, more: object): string => {
    const members = JSON.stringify(more).slice(1)
    return members === '}' ? line : `${line.slice(0, -'}\n'.length)},${members}\n`
  }
  return (line) => stream.write(strikeSecrets(mixin ? extended(line, mixin()) : line))
}
