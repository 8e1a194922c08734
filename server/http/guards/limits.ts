import type { ShareLimits } from './shares.ts'
import type { StrangerLimits } from './strangers.ts'
import type { UnreadLimits } from './unread.ts'

/** How long the server waits for its clients, and how many resources they may use. Tests shorten some. */
export type HttpLimits = {
  /** A whole request has to arrive within this time, unless its route takes a stream. */
  requestMs: number
  /** A connection without a request is closed after this time. */
  idleMs: number
  handshakeMs: number
  /** A client has to read some of its reply within this time. */
  replyMs: number
  /** The minimum speed of a streamed body while the server waits for it. */
  stream: { windowMs: number; bytesPerSecondMin: number }
  connections: { all: number; perNetwork: number }
  shares: ShareLimits
  /** For requests that read much (`isHeavy` of a route): in addition to the shares of all requests. */
  heavy: ShareLimits
  unread: UnreadLimits
  /** For bodies that strangers send. */
  strangers: StrangerLimits
}

const mebibyte = 1024 * 1024

export const usualLimits: HttpLimits = {
  requestMs: 30_000,
  idleMs: 72_000,
  handshakeMs: 10_000,
  replyMs: 120_000,
  stream: { windowMs: 30_000, bytesPerSecondMin: 1024 },
  connections: { all: 10_000, perNetwork: 1000 },
  // Of 20 connections to the database: one tenant leaves 8 to the others, one user leaves 4 to the rest of the tenant.
  shares: { running: { all: 20, tenant: 12, user: 8 }, waiting: { tenant: 2000, user: 1000 }, waitMs: 10_000 },
  // A page sends two of them at once. More would only slow each other down, and everyone else's requests too.
  heavy: { running: { all: 6, tenant: 3, user: 2 }, waiting: { tenant: 100, user: 20 }, waitMs: 10_000 },
  unread: { user: 64 * mebibyte, tenant: 128 * mebibyte, all: 512 * mebibyte },
  // Thousands of sign-ins at once, also from one address; of the largest bodies that they may send, 256.
  strangers: { network: 16 * mebibyte, all: 128 * mebibyte },
}

/**
 * For one of several workers: together they allow what one server allows. From the fifth on each allows a little more,
 * as there are more cores. A connection is served by one worker, so a user's share is that of the workers they reach.
 */
export function limitsOfWorker(workers: number, { all, perNetwork }: HttpLimits['connections']): Partial<HttpLimits> {
  const part = (limit: number, least: number): number => Math.max(least, Math.ceil(limit / workers))
  const { shares, heavy, unread, strangers } = usualLimits
  const { running, waiting } = shares
  return {
    connections: { all: part(all, 1), perNetwork: part(perNetwork, 1) },
    shares: {
      ...shares,
      running: { all: part(running.all, 5), tenant: part(running.tenant, 3), user: part(running.user, 2) },
      waiting: { tenant: part(waiting.tenant, 100), user: part(waiting.user, 50) },
    },
    heavy: { ...heavy, running: { all: part(heavy.running.all, 2), tenant: part(heavy.running.tenant, 2), user: 1 } },
    unread: {
      user: part(unread.user, 16 * mebibyte),
      tenant: part(unread.tenant, 32 * mebibyte),
      all: part(unread.all, 64 * mebibyte),
    },
    strangers: { network: part(strangers.network, 4 * mebibyte), all: part(strangers.all, 16 * mebibyte) },
  }
}

/** Of HTTP/2. Node and nghttp2 count resets, settings and pings themselves, and end a session that sends too many. */
export const http2Options = {
  settings: { maxConcurrentStreams: 100, maxHeaderListSize: 16_384 },
  maxHeaderListPairs: 200,
  maxSettings: 32,
  maxSessionInvalidFrames: 100,
  maxSessionRejectedStreams: 100,
  // CVE-2023-44487: streams that are opened and reset at once.
  streamResetBurst: 200,
  streamResetRate: 50,
}
