/**
 * Top to bottom, the wings and the rooms in each: a room may import, and read tables of, only rooms above it, in its own wing
 * or in a wing above. A new room is put in its place here.
 */
const wings = {
  foundation: ['tenants', 'systemlog', 'jobs', 'plans', 'writes', 'ownership', 'organization'],
  identity: ['roles', 'users', 'sources', 'credentials', 'principals', 'tokens', 'sessions'],
  records: ['attributes', 'apps', 'accounts', 'grants', 'baton', 'imports', 'connectors', 'directories'],
  rules: ['expressions', 'people', 'automation'],
  events: ['webhooks', 'subscriptions', 'exports'],
  governance: [
    'enforcement',
    'owners',
    'federation',
    'merging',
    'forms',
    'policies',
    'profiles',
    'terms',
    'tasks',
    'drift',
    'leavers',
    'four-eyes',
    'notifications',
  ],
  overview: ['names', 'lists', 'across', 'bulk', 'changes', 'home'],
}

/** Every room by its path under server/rooms, as in `identity/users`, from the top. */
export const rooms = Object.entries(wings).flatMap(([wing, names]) => names.map((name) => `${wing}/${name}`))
