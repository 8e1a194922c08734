export { insertGrants, type NewGrant } from './store.ts'
