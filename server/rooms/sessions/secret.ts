import { randomBytes, hash as sha } from 'node:crypto'

/** 256 random bits: there is nothing to guess, so a plain hash of it is enough to know it by. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

const form = /^[\w-]{43}$/
export const isSecret = (text: string): boolean => form.test(text)

export const hashOf = (secret: string): Buffer => sha('sha256', secret, 'buffer')
