export {
  atLevel,
  type Level,
  nameFields,
  notPeople,
  seesEveryone,
  showNames,
  showRecords,
  showTargets,
  sightOf,
  workFields,
} from './sight.ts'
export { isOfApp, isSeenEntitlement, isVisibleProfile, listPlaces, listRequestable, type Place } from './store.ts'
