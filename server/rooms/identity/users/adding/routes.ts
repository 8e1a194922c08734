import { route } from '#authority/route.ts'
import { expandedField } from '#kernel/expand.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, int32, message, nested, required, text } from '#kernel/wire.ts'
import { presentUsers } from '../present.ts'
import { UserView } from '../view.ts'
import { addPerson, userExists } from './actions.ts'

const named = () => text({ maxLength: 500 })
const isTaken = (error: unknown): boolean => (error as { code?: string } | null)?.code === '23505'

export const addingRoutes: readonly Route[] = [
  route({
    id: 'bailiwick.v1.Users.Add',
    at: 'POST /api/v1/users',
    summary:
      'Add a person manually. They get the role Basic User, and the accounts without a user that have their email address. A directory or an import that has the same email address later describes this person instead of adding another one.',
    rule: 'users.add',
    body: message('bailiwick.v1.UsersAddRequest', {
      displayName: required(named()),
      email: required(text({ maxLength: 320 })),
      jobTitle: named(),
      department: named(),
      employeeId: text({ maxLength: 320 }),
      employmentType: described(named(), 'Such as employee or contractor.'),
      employmentStatus: described(named(), 'Such as active or on leave.'),
      managerId: described(text({ maxLength: 64 }), 'The id of a user.'),
    }),
    reply: message('bailiwick.v1.UsersAddResponse', {
      userView: nested(UserView),
      expanded: expandedField,
      matchedAccounts: described(int32(), 'How many accounts without a user became theirs.'),
    }),
    async handle(call, { body }) {
      const { user, accounts } = await transact(call.db, (tx) => addPerson(tx, call, body)).catch((error: unknown) => {
        throw isTaken(error) ? userExists(call, body.email.trim(), null) : error
      })
      const { views, expanded } = await presentUsers(call, [user], null)
      return { userView: views[0] ?? null, expanded, matchedAccounts: accounts }
    },
  }),
]
