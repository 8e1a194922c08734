import { Download } from './download.ts'
import { Refusal } from './refusals.ts'
import type { Call } from './routes.ts'

const [perUser, inAll] = [2, 8]

/**
 * Limits how many files one process writes at once: each takes a connection to the database for a moment, again and
 * again, and holds no share of the server in the meantime, so that a slow download does not use up the shares of
 * others.
 */
function countExports() {
  const byUser = new Map<string, number>()
  let all = 0
  return {
    /** Counts one more; returns what to call when it is over. */
    enter(user: string): () => void {
      const own = byUser.get(user) ?? 0
      if (own >= perUser || all >= inAll)
        throw new Refusal(
          'TOO_MANY_AT_ONCE',
          own >= perUser
            ? `${perUser} exports of yours are running; wait until one has finished.`
            : `${inAll} exports are running; try again shortly.`,
          { retryAfterSeconds: 5 },
        )
      byUser.set(user, own + 1)
      all++
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        all--
        const left = (byUser.get(user) ?? 1) - 1
        if (left > 0) byUser.set(user, left)
        else byUser.delete(user)
      }
    },
  }
}

const running = countExports()

/**
 * A file that counts as one of the caller's until it is over, or could not be opened. If the client disconnects before
 * the first byte, nobody ever reads the pieces, so the end of the request counts too.
 */
export async function asExport(
  { tenant, actor, signal }: Pick<Call, 'tenant' | 'actor' | 'signal'>,
  open: () => Promise<Download>,
): Promise<Download> {
  signal.throwIfAborted()
  const leave = running.enter(`${tenant.id} ${actor.userId || actor.clientId}`)
  signal.addEventListener('abort', leave, { once: true })
  try {
    const { type, name, pieces } = await open()
    return new Download(type, name, untilOver(pieces, leave))
  } catch (error) {
    leave()
    throw error
  }
}

async function* untilOver(pieces: AsyncIterable<string>, leave: () => void): AsyncGenerator<string> {
  try {
    yield* pieces
  } finally {
    leave()
  }
}
