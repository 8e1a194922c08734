export { findTerms, refuseUnjustified, termsOf, unroutedTerms } from './find.ts'
export { deleteTermsOf } from './gone.ts'
export { AppliedMessage, type SuggestDuration, termsRoutes } from './routes.ts'
export { type Source, sources, type Terms } from './terms.ts'
