export { findTerms, refuseUnjustified, termsOf, unroutedTerms } from './find.ts'
export { deleteTermsOf } from './gone.ts'
export { AppliedMessage, termsRoutes } from './routes.ts'
export { type Source, sources, type Terms } from './terms.ts'
