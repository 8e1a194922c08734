import pino, { type DestinationStream, type Logger } from 'pino'

/**
 * Secrets are kept out by what is logged (never a header, a query or a body). This is the second lock: whatever looks
 * like one in a message or an error is struck out of the finished line.
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

// With what is kept in groups rather than looked behind, a line costs 0.5 µs rather than 3.
const strikeSecrets = (line: string): string => line.replace(secrets, '$<kept>[redacted]')

/**
 * Several processes may write to one pipe. What is written at once, up to 4 KiB, stays together (PIPE_BUF, pipe(7)), so
 * that no line is cut by another's.
 */
const standardError = (): DestinationStream => pino.destination({ fd: 2, sync: false, maxWrite: 4000 })

/** One JSON object a line. An error is told by name, message, code and stack, not by whatever else it carries. */
export const openLog = (level: string, to: DestinationStream = standardError(), mixin?: () => object): Logger =>
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
          return { name, message, code, stack }
        },
      },
      hooks: { streamWrite: strikeSecrets },
    },
    to,
  )
