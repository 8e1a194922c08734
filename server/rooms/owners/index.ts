export { asOwner } from './admit.ts'
export { ownerRoutes } from './routes.ts'
export { sieve } from './sieve.ts'
export { insertOwners, type NewOwner } from './store.ts'
