import { nextPageToken } from '#kernel/pages.ts'
import { described, flag, int64, list, listOf, message, nested, oneOf, text, timestamp } from '#kernel/wire.ts'
import type { Import } from './import.ts'
import { kindNames } from './kinds.ts'

export const ImportCounts = message('import.v1.ImportCounts', {
  kind: oneOf(['unspecified', ...kindNames]),
  added: int64(),
  changed: int64(),
  unchanged: int64(),
  removed: int64(),
  refused: described(int64(), 'Always 0: if a line is refused, the whole file is refused.'),
})

const ImportMessage = message(
  'import.v1.Import',
  {
    id: text(),
    format: oneOf(['unspecified', 'jsonl', 'csv', 'c1z']),
    isFull: flag(),
    isForced: flag(),
    isDryRun: flag(),
    userId: described(text(), "Who imported it; empty for the operator's own command."),
    userName: text(),
    lineCount: int64(),
    byteCount: int64(),
    counts: listOf(ImportCounts),
    ignoredFields: described(list(text()), 'Unknown fields of the file, such as user.shoeSize. They are ignored.'),
    appId: described(text(), 'The app that a connector file was imported into; empty for other files.'),
    notes: described(list(text()), 'What was skipped in a connector file.'),
    startedAt: timestamp(),
    finishedAt: timestamp(),
  },
  'An import, and its changes.',
)

export const importReply = (name: string) => message(name, { import: nested(ImportMessage) })
export const importsReply = (name: string) => message(name, { list: listOf(ImportMessage), nextPageToken })

export const viewImport = (done: Import, isDryRun = false) => ({
  ...done,
  // A dry run has left nothing that could be requested by its id.
  id: isDryRun ? '' : done.id,
  isDryRun,
  counts: done.counts.map((each) => ({ ...each, refused: 0 })),
})
