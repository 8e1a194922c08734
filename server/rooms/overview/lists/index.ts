export { filtersOf, inputOf } from './counting.ts'
export { pagesOf } from './exporting/rows.ts'
export { slugOf } from './exporting/words.ts'
export { listRoutes } from './routes.ts'
