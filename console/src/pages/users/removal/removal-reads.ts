import {
  accessHistoryList,
  accessRemovalsList,
  appEntitlementSearchCountGrantsForUserByApp,
  appEntitlementSearchGrants,
  dependentsGet,
  leaverPlansGet,
  userGet,
} from '#client/api/operations.ts'

/** What reads other answers once access was removed or restored. */
export const removalReads = [
  appEntitlementSearchGrants,
  appEntitlementSearchCountGrantsForUserByApp,
  accessHistoryList,
  accessRemovalsList,
  userGet,
  leaverPlansGet,
  dependentsGet,
]
