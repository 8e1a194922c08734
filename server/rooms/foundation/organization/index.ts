export { findContacts } from './actions.ts'
export { organizationRoutes } from './routes.ts'
export { domainsOf } from './store.ts'
