import { anyone, authenticated, type Route } from '#kernel/routes.ts'
import { builtInRoles, permissions } from '#rooms/roles/index.ts'

const roles = Object.entries(builtInRoles)

const mayCall = (allow: string, held: readonly string[]): boolean =>
  allow === anyone || allow === authenticated || held.includes(allow)

/** docs/permissions.md: role by operation, from the route table and the roles. */
export function permissionsPage(routes: readonly Route[]): string {
  const head = `| operation | needs | ${roles.map(([name]) => `\`${name}\``).join(' | ')} |`
  const rows = routes.map(({ id, method, path, allow }) => {
    const marks = roles.map(([, { permissions: held }]) => (mayCall(allow, held) ? 'yes' : '-'))
    const needs = allow === anyone ? 'nothing' : allow === authenticated ? 'a token' : `\`${allow}\``
    return `| ${id}<br>\`${method} ${path}\` | ${needs} | ${marks.join(' | ')} |`
  })
  return `<!-- Made by npm run generate from the route table and server/rooms/roles/permissions.ts. -->
# Who may do what

A person may do what their roles permit, added up. An API credential may do what its scope and its owner's roles both
permit; without a scope, all that its owner may. A test calls every operation below with every role and compares the
answers with this table.

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
