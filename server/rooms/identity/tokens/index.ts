export { forgetExpired } from './access-token.ts'
export { authenticate, refusalOf } from './authenticate.ts'
export { tokenRoutes } from './routes.ts'
export { deleteExpiredAssertions } from './store.ts'
