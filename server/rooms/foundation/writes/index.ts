export { insertRecords, updateRecords } from './store.ts'
export type { Table } from './tables.ts'
