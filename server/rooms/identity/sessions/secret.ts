import { randomBytes, hash as sha } from 'node:crypto'
import { isSameMac, type Seals } from '#kernel/seals.ts'
import type { CookieNumber } from './session.ts'

/** 256 random bits: they cannot be guessed, so a plain hash is enough to recognize them. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

export const hashOf = (secret: string): Buffer => sha('sha256', secret, 'buffer')

/** The content of a session's cookie: which session, which cookie of it, and the proof that this server issued it. */
export type Presented = CookieNumber & { sessionId: string }

const proofOf = (seals: Seals, tenantId: number, { sessionId, generation, branch }: Presented): Buffer =>
  seals.mac('session cookie', String(tenantId), sessionId, String(generation), String(branch))

export const cookieValue = (seals: Seals, tenantId: number, cookie: Presented): string =>
  [cookie.sessionId, cookie.generation, cookie.branch, proofOf(seals, tenantId, cookie).toString('base64url')].join('.')

const form = /^([0-9A-Za-z]{27})\.([1-9]\d{0,8})\.([1-9]\d{0,8})\.([\w-]{43})$/

/** Reads a cookie; null if this server did not issue it. */
export function readCookie(seals: Seals, tenantId: number, value: string): Presented | null {
  const [, sessionId = '', generation, branch, proof = ''] = form.exec(value) ?? []
  const cookie = { sessionId, generation: Number(generation), branch: Number(branch) }
  return isSameMac(Buffer.from(proof, 'base64url'), proofOf(seals, tenantId, cookie)) ? cookie : null
}
