export { profilesAppId } from './profiles-app.ts'
export { valuesOf } from './store/few.ts'
export { fewMax, insertRecords, updateRecords } from './store.ts'
export type { Table } from './tables.ts'
