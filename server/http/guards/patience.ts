import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { isStreaming } from '../stream.ts'
import type { HttpLimits } from './limits.ts'

/**
 * Ends what makes no progress, where Node does not: HTTP/2 sessions without a stream, streams whose request does not
 * end, and clients that do not read their replies. Checked at intervals rather than by one timer each, which would cost
 * something with every request. Uses a separate clock, which stands still while the server could not check: what
 * clients sent in that time is read before anything is ended.
 */
export type Patience = {
  watchSocket(socket: Socket): void
  watchSession(session: ServerHttp2Session): void
  /** Whether the server did not serve its clients for a long time, within the time that a request may take. */
  wasAway(): boolean
  stop(): void
}

type Watched = { since: number; left: string }
type Session = { streams: Map<ServerHttp2Stream, Watched & { openedAt: number }>; idleSince: number; isNew: boolean }

const looksMs = 1000

export function openPatience(limits: Pick<HttpLimits, 'requestMs' | 'idleMs' | 'replyMs'>): Patience {
  const sockets = new Map<Socket, Watched>()
  const sessions = new Map<ServerHttp2Session, Session>()
  const everyMs = Math.min(looksMs, limits.requestMs / 4)
  let clock = 0
  let awayAt = Number.NEGATIVE_INFINITY
  let lookedAt = performance.now()
  const isLateLook = (): boolean => performance.now() - lookedAt > everyMs * 1.5

  /** Whether nothing of what waits to be sent was read for too long. */
  const isStuck = (watched: Watched, left: string, now: number): boolean => {
    if (left !== watched.left || left === '') {
      watched.left = left
      watched.since = now
    }
    return now - watched.since > limits.replyMs
  }

  const lookAtStream = (stream: ServerHttp2Stream, watched: Watched & { openedAt: number }, now: number): void => {
    const isLate = now - watched.openedAt > limits.requestMs + looksMs && !isStreaming(stream)
    const left = stream.writableEnded || stream.writableLength > 0 ? `${stream.writableLength}` : ''
    if ((isLate && !stream.state.remoteClose) || isStuck(watched, left, now)) stream.close(constants.NGHTTP2_CANCEL)
  }

  const lookAtSession = (session: ServerHttp2Session, known: Session, now: number): void => {
    if (known.streams.size > 0) {
      for (const [stream, watched] of known.streams) lookAtStream(stream, watched, now)
      return
    }
    const patienceMs = known.isNew ? limits.requestMs : limits.idleMs
    if (now - known.idleSince <= patienceMs) return
    // The client is asked once to close the session; one that sends half of a header block does not.
    if (session.closed || known.isNew) session.destroy()
    else session.close()
  }

  const lookAtAll = (): void => {
    for (const [session, known] of sessions) lookAtSession(session, known, clock)
    for (const [socket, watched] of sockets) {
      const left = socket.writableLength > 0 ? `${socket.writableLength} ${queuedIn(socket)}` : ''
      if (isStuck(watched, left, clock)) socket.destroy()
    }
  }

  const timer = setInterval(() => {
    if (isLateLook()) awayAt = clock
    else clock += everyMs
    lookedAt = performance.now()
    // After the sockets were read: in a turn of the event loop, timers come before them.
    setImmediate(lookAtAll)
  }, everyMs).unref()

  return {
    watchSocket(socket) {
      sockets.set(socket, { since: clock, left: '' })
      socket.once('close', () => sockets.delete(socket))
    },
    watchSession(session) {
      const known: Session = { streams: new Map(), idleSince: clock, isNew: true }
      sessions.set(session, known)
      session.once('close', () => sessions.delete(session))
      session.on('stream', (stream) => {
        const now = clock
        known.isNew = false
        known.streams.set(stream, { openedAt: now, since: now, left: '' })
        stream.once('close', () => {
          known.streams.delete(stream)
          known.idleSince = clock
        })
      })
    },
    wasAway: () => isLateLook() || clock - awayAt <= limits.requestMs,
    stop: () => clearInterval(timer),
  }
}

// How much of one long write is left: the stream itself counts it until all of it is sent.
const queuedIn = (socket: Socket): number =>
  (socket as unknown as { _handle?: { writeQueueSize?: number } })._handle?.writeQueueSize ?? 0
