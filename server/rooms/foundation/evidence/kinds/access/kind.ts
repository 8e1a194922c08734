import type { Kind } from '../kind.ts'
import type { AccessData } from './data.ts'
import { documentOf } from './document.ts'
import { tableOf } from './table.ts'

const isObject = (value: unknown): value is { [name: string]: unknown } => typeof value === 'object' && value !== null

/** Who had access, why, since when, by whose approval, and what the app confirmed. */
export const access: Kind = {
  name: 'access',
  isData: (value) =>
    isObject(value) && value['kind'] === 'access' && Array.isArray(value['grants']) && Array.isArray(value['requests']),
  table: (data: AccessData) => tableOf(data),
  document: (data: AccessData) => documentOf(data),
}
