import { described, flag, message, text, timestamp } from '#kernel/wire.ts'

export type SavedView = {
  id: string
  userId: string
  page: string
  name: string
  query: string
  isShared: boolean
  createdAt: Date
  updatedAt: Date
}

const nameLength = 80
export const pageLength = 300
const queryLength = 4000

/** The fields of a view that people set. */
export const viewTerms = {
  name: described(text({ maxLength: nameLength }), 'The name.'),
  query: described(
    text({ maxLength: queryLength }),
    'The query string of the page: its search, filters and order. For example status=DISABLED&sort=-created.',
  ),
  isShared: described(flag(), 'Everyone in the organization can see it. Requires the permission views.share.'),
}

export const ViewMessage = message(
  'lists.v1.SavedView',
  {
    id: text(),
    page: described(text({ maxLength: pageLength }), 'The path of the page in the console. For example /users.'),
    ...viewTerms,
    userId: described(text(), 'Who saved it.'),
    mayChange: described(flag(), 'The caller may change and delete it.'),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  'A named list with its search, filters and order.',
)
