export { directoryRoutes } from './routes.ts'
export { scimDoor } from './scim/door.ts'
export { uses as directoryUses } from './tokens/last-used.ts'
