export type { Account, AccountRef } from './account.ts'
export { accountNotFound, accountsFor, getAccount } from './actions.ts'
export { accountsChanged, enqueueAccountsChanged } from './jobs.ts'
export { putAccount, putApps, viewAccounts } from './present.ts'
export { accountRoutes } from './routes.ts'
export {
  deleteAccounts,
  markAccountDeleted,
  markAccountDisabled,
  moveAccounts,
  setAccountUsers,
  setExternalId,
  updateAccountOf,
} from './store/change.ts'
export { type AccountCredential, putAccountCredentials } from './store/credentials.ts'
export { matchUsers, type Traces } from './store/match.ts'
export { findAccounts, findAccountsById, listAllAccountsOf, listFirstAccounts } from './store/read.ts'
export { insertAccounts, type NewAccount } from './store.ts'
export { AppUser, AppUserView, viewAccount } from './view.ts'
