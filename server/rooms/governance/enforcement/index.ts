export { askedBy } from './asked.ts'
export { type Way, wayOf } from './decide.ts'
export { findEnforcer, listEnforcement } from './find.ts'
export { enforcementRoutes } from './routes.ts'
