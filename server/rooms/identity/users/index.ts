export { getUser, holdUser, noUser, setRoles, setStatus, userNotFound } from './actions.ts'
export { changeStatus } from './administration/actions.ts'
export { type FoundingRefusal, findOwnerEmail, foundTenant } from './found-tenant.ts'
export { allDisabled, delegationChanged, recordsChanged, usersDisabled } from './jobs.ts'
export { putUser } from './present.ts'
export { userRoutes } from './routes.ts'
export { findDelegation } from './store/delegations.ts'
export { findUser, findUsers, listUsers, lockUsers } from './store/read.ts'
export { listFieldValues, type Value, type ValuesAsked, valueFields } from './store/values.ts'
export { disableMany, enableMany, moveReports, updateDescribed } from './store/write-many.ts'
export { setMerged, type UserSet, updatePerson } from './store/write-one.ts'
export {
  findPerson,
  findUserByEmail,
  hasEnabledOwner,
  insertUsers,
  isPrincipalRow,
  lockOwnership,
  markDeleted,
  type NewUser,
  type Person,
  updateDisplayName,
} from './store.ts'
export { isPrincipal, type User } from './user.ts'
export { UserMessage } from './view.ts'
