import { timingSafeEqual } from 'node:crypto'

export const sameMac = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b)
