import { described, listOf, message, nested, readOnly, text, timestamp } from '#kernel/wire.ts'
import type { Directory } from '../directory.ts'

export const FilterAll = message('directory.v1.DirectoryAccountFilterAll', {})
export const FilterCel = message('directory.v1.DirectoryAccountFilterCel', { expression: text({ maxLength: 10_000 }) })
const MatchCase = message('directory.v1.DirectoryMergeMatchCase', {
  appUserKeyCel: described(text({ maxLength: 10_000 }), 'A CEL expression about the account, such as account.email.'),
  userKeyCel: described(text({ maxLength: 10_000 }), 'A CEL expression about the user, such as subject.email.'),
})
const casesMax = 10
export const MergeConfig = message('directory.v1.DirectoryMergeConfig', {
  matchCases: described(
    listOf(MatchCase, casesMax),
    'Keys by which an account and a user are the same person, in order. If empty: by email address.',
  ),
})

const DirectoryMessage = message('directory.v1.Directory', {
  appId: readOnly(text()),
  all: described(nested(FilterAll), 'All of its accounts become users.'),
  celExpression: described(nested(FilterCel), 'Only the accounts that match become users.'),
  mergeConfig: nested(MergeConfig),
  createdAt: readOnly(timestamp()),
  updatedAt: readOnly(timestamp()),
  deletedAt: readOnly(timestamp()),
})
export const DirectoryView = message('directory.v1.DirectoryView', {
  directory: nested(DirectoryMessage),
  appPath: text(),
})

export const viewOf = ({ appId, accountFilter, matchCases, createdAt, updatedAt }: Directory) => ({
  directory: {
    appId,
    all: accountFilter === '' ? {} : null,
    celExpression: accountFilter === '' ? null : { expression: accountFilter },
    mergeConfig: { matchCases: matchCases.map(([appUserKeyCel, userKeyCel]) => ({ appUserKeyCel, userKeyCel })) },
    createdAt,
    updatedAt,
    deletedAt: null,
  },
  appPath: '',
})
