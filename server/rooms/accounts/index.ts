export { insertAccounts, type NewAccount } from './store.ts'
