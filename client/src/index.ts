export * from './api/errors.ts'
export * from './api/operations.ts'
export type * from './api/types.ts'
export { ApiError, SignInError, TimedOutError, UnreachableError, type Violation } from './api-error.ts'
export { Bailiwick, type CallOptions, type Options } from './bailiwick.ts'
export { byDevice, type DeviceCode, type DeviceOptions } from './device.ts'
export type { Operation, PagedOperation, ReplyOf, Sent } from './operation.ts'
export {
  byAssertion,
  byExchange,
  bySecret,
  bySession,
  byToken,
  type Credential,
  type Federation,
  type SignIn,
  type SignInOptions,
} from './sign-in.ts'
