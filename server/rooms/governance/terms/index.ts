export { findTerms, refuseUnjustified, termsOf, termsOfRevocation } from './find.ts'
export { termsRoutes } from './routes.ts'
export { findCarried } from './store.ts'
export { type Source, sources, type Terms } from './terms.ts'
