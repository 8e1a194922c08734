import {
  directoriesGetState,
  directoriesListConflicts,
  directoriesListStates,
  directoryGet,
  directoryPrecedencesGet,
  scimDirectoriesGet,
  scimHeldList,
  userGet,
  userSearch,
} from '#client/api/operations.ts'

/** What a change of directories changes. */
export const directoryReads = [
  directoriesGetState,
  directoriesListConflicts,
  directoriesListStates,
  directoryGet,
  directoryPrecedencesGet,
  scimDirectoriesGet,
  scimHeldList,
  userGet,
  userSearch,
]
