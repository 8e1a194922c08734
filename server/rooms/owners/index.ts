export { nameOwners } from './actions.ts'
export { asOwner } from './admit.ts'
export { ownerRoutes } from './routes.ts'
export { insertOwners, type NewOwner } from './store.ts'
