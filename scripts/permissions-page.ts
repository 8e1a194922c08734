import { anyone, authenticated, type Route, signedIn } from '#kernel/routes.ts'
import { builtInRoles, permissions } from '#rooms/identity/roles/index.ts'

const roles = Object.entries(builtInRoles)

const mayCall = (allow: string, held: readonly string[]): boolean =>
  [anyone, authenticated, signedIn].includes(allow) || held.includes(allow)

const needsOf = ({ allow, needsFresh }: Route): string => `${rightOf(allow)}${needsFresh ? ', fresh' : ''}`

const rightOf = (allow: string): string => {
  if (allow === anyone) return 'nothing'
  if (allow === signedIn) return 'a session'
  return allow === authenticated ? 'a token' : `\`${allow}\``
}

type RoleTerms = { permissions: readonly string[]; permissionsOnOwned?: readonly string[] }

/** Whether a role lets its holders call an operation: always, as owners of what it is about, of what that lies in, or not. */
function markOf({ allow, allowOwners, about, fromAbove }: Route, role: RoleTerms): string {
  const isForOwners = about.length > 0 && role.permissionsOnOwned?.includes(allowOwners) === true
  const owners = fromAbove ? 'owners above' : 'owners'
  if (mayCall(allowOwners, role.permissions)) return 'yes'
  if (mayCall(allow, role.permissions)) return isForOwners ? `yes, more as ${owners}` : 'yes'
  return isForOwners ? owners : '-'
}

/** docs/permissions.md: role by operation, from the route table and the roles. */
export function permissionsPage(routes: readonly Route[]): string {
  const head = `| operation | needs | ${roles.map(([name]) => `\`${name}\``).join(' | ')} |`
  const rows = routes.map((route) => {
    const { id, method, path } = route
    const marks = roles.map(([, role]) => markOf(route, role))
    return `| ${id}<br>\`${method} ${path}\` | ${needsOf(route)} | ${marks.join(' | ')} |`
  })
  return `<!-- Made by npm run generate from the route table and server/rooms/identity/roles/permissions.ts. -->
# Who may do what

A person may do what their roles permit, added up. An API credential may do what its scope and its owner's roles both
permit; without a scope, all that its owner may. Someone who is signed in to the console may do what their roles permit;
what needs a session is not for tokens. A test calls every operation below with every role and compares the
answers with this table.

**fresh**: someone in the console must have signed in within the last 15 minutes, or as long as the tenant's sign-in policy says.

**owners**: those who own what the operation is about, in any role, by name or by holding an entitlement, or who own what
it lies in: an app holds its resource types, resources, entitlements, accounts and grants, a resource its entitlements,
an entitlement its grants. **owners above**: only those who own what it lies in. To others, what they do not own is not
there (404).

| role | name |
|---|---|
${roles.map(([name, { displayName }]) => `| \`${name}\` | ${displayName} |`).join('\n')}

## Operations

${head}
|${'---|'.repeat(roles.length + 2)}
${rows.join('\n')}

## Permissions

| permission | meaning |
|---|---|
${Object.entries(permissions)
  .map(([name, meaning]) => `| \`${name}\` | ${meaning} |`)
  .join('\n')}
`
}
