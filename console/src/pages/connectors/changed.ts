import {
  connectorOverviewGet,
  connectorOverviewList,
  connectorOverviewListOfApp,
  connectorSyncList,
} from '#client/api/operations.ts'

/** What is read again after a connector was changed. */
export const connectorReads = [
  connectorOverviewGet,
  connectorOverviewList,
  connectorOverviewListOfApp,
  connectorSyncList,
]
