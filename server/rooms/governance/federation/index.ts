export { attemptNotes } from './attempts/notes.ts'
export { forgetAttempts } from './attempts/store.ts'
export { exchangeToken } from './exchange.ts'
export { federationRoutes } from './routes.ts'
