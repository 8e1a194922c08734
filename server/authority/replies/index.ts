export { sieve } from './filter.ts'
export { type Kind, markOf, seenAt } from './seen.ts'
