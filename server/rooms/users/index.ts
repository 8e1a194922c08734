export { type FoundingRefusal, foundTenant } from './found.ts'
export { findUserByEmail, insertUsers, type NewUser, type Person } from './store.ts'
