export {
  insertApps,
  insertEntitlements,
  insertResources,
  insertResourceTypes,
  type NewApp,
  type NewEntitlement,
  type NewResource,
  type NewResourceType,
} from './store.ts'
