export { getDirectory, newAppDirectory, removeDirectory } from './actions.ts'
export type { Directory, MatchCase } from './directory.ts'
export { type Placement, setError, setFollowed, setOrder } from './following.ts'
export { heldJob } from './held/job.ts'
export { directoryChanged } from './jobs.ts'
export { findManagers } from './links/managers.ts'
export { endLinks, holdLinks, moveLinks, type NewLink, putLinks } from './links/store.ts'
export { disableAll } from './people/disable.ts'
export { managersJob } from './people/managers-job.ts'
export { attributes, type Link, type Said } from './people/said.ts'
export { byUser, type Settled, settlePeople } from './people/settle.ts'
export { listLinksOf, listPeopleOf, listTakenEmails } from './people/store.ts'
export { DirectoryView, FilterAll, FilterCel, MergeConfig, viewOf } from './published/view.ts'
export { directoryNotFound } from './refuse.ts'
export { directoryRoutes } from './routes.ts'
export { scimDoor } from './scim/door.ts'
export { countActive, countDeactivated } from './scim/users/store.ts'
export {
  countIn,
  findDirectory,
  insertDirectory,
  listDirectories,
  lockAppOf,
  lockDirectory,
  updateDirectory,
} from './store.ts'
export { uses as directoryUses } from './tokens/last-used.ts'
