export { familyFor, getPrincipal, lockPrincipal } from './actions.ts'
export {
  listOwnedPrincipals,
  ownsPrincipal,
  principalNotFound,
  proveOwners,
  refuseBeyondPrincipal,
  sealOwners,
} from './owners.ts'
export { principalRoutes } from './routes.ts'
