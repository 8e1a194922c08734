/**
 * The JSON of the API, as the clients of the published API know it.
 * Reading: names in lowerCamelCase or snake_case, unknown names ignored, null is unset. Writing: every field present.
 */
import { message } from './wire/message.ts'

export { list, listOf, mapOf } from './wire/lists.ts'
export { isThere, message, nested } from './wire/message.ts'
export { camel, join } from './wire/names.ts'
export { described, fixed, isUnset, leftOut, neverSet, readOnly, required } from './wire/rules.ts'
export {
  anyInteger,
  duration,
  flag,
  int32,
  int64,
  objectText,
  oneOf,
  struct,
  text,
  timestamp,
} from './wire/scalars.ts'
export type { Fields, JsonSchema, Message, MessageOf, Shape } from './wire/shape.ts'

export const empty = message('Empty', {}, 'Nothing.')
