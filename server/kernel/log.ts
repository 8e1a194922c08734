import pino, { type DestinationStream, type Logger } from 'pino'

/**
 * Secrets are kept out by what is logged (never a header, a query or a body). This is the second lock: whatever looks
 * like one in a message or an error is struck out of the finished line.
 */
const secrets =
  /secret-token:[^"\s\\]+|\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*|(?<=\bbearer )[\w.~+/=-]+|(?<=\bpostgres(?:ql)?:\/\/)[^"\s\\]+(?=@)|(?<="d\\?": ?\\?")[\w-]{40,}/gi

export const strikeSecrets = (line: string): string => line.replace(secrets, '[redacted]')

/** One JSON object a line. An error is told by name, message, code and stack, not by whatever else it carries. */
export const openLog = (level: string, to: DestinationStream = pino.destination({ fd: 2, sync: false })): Logger =>
  pino(
    {
      level,
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
