import { events } from './events.ts'
import { foundation } from './foundation.ts'
import { governance } from './governance.ts'
import { identity } from './identity.ts'
import { overview } from './overview.ts'
import { platform } from './platform.ts'
import { records } from './records.ts'
import { rules } from './rules.ts'
import type { Tables } from './table.ts'

/** For each table of the schema, the room that writes it, and what others may read of it. */
export const tables: Tables = {
  ...platform,
  ...foundation,
  ...identity,
  ...records,
  ...rules,
  ...events,
  ...governance,
  ...overview,
}

/** Files that name tables only at run time, where nothing of this is checked. */
export const namedAtRunTime: Readonly<Record<string, string>> = {
  'server/rooms/foundation/writes/store.ts': 'writes the records that other rooms tell it to write, which are theirs',
  'server/rooms/foundation/writes/store/search-keys.ts': 'reads the names of the records that it writes keys of',
  'server/rooms/records/directories/scim/store/page.ts': 'pages of users and of groups, which are its own',
  'server/rooms/records/imports/store/checking.ts': 'the temporary tables of an import',
  'server/rooms/records/imports/store/merging.ts': 'one statement for each kind of record, of the tables listed there',
  'server/rooms/records/imports/store/going.ts': 'one statement for each kind of record, of the tables listed there',
  'server/rooms/records/imports/store/resolving.ts':
    'one statement for each kind of record, of the tables listed there',
  'server/rooms/records/imports/store/staging.ts': 'the temporary tables of an import',
  'server/rooms/overview/changes/store/things.ts': 'one statement for each kind of thing, of the tables listed there',
}
