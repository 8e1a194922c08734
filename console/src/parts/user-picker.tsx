import type { ReactNode } from 'react'
import { userSearch } from '#client/api/operations.ts'
import type { User } from '#client/api/types.ts'
import { useSession } from '../client/session.ts'
import { Picker, type PickerOptions } from './picker.tsx'

type UserPickerProps = PickerOptions & {
  /** Users who cannot be picked, by id. */
  without?: readonly string[]
  /** The chosen user, for a field that keeps its choice. */
  chosen?: User | null
  /** Called with the user who was picked; the field is then empty again, for the next one, unless it has `chosen`. */
  onPick: (user: User) => void
}

const nameOf = ({ displayName, email }: User): string => (email ? `${displayName} (${email})` : displayName)

/** Finds a user with the search of the API: by name and email, or by the whole email if the caller does not see everyone. */
export function UserPicker({ without = [], ...props }: UserPickerProps): ReactNode {
  const { may } = useSession()
  const seesAll = may('users.read')
  return (
    <Picker
      {...props}
      placeholder={seesAll ? 'Type a name or an address' : 'Type the whole email address'}
      nothing={seesAll ? 'No results.' : 'Nobody is found by this. Type the whole email address.'}
      operation={userSearch}
      input={(query) => ({ body: { query, excludeIds: [...without].slice(0, excludedMax), pageSize: 25 } })}
      items={({ list }) => list.flatMap(({ user }) => (user && !without.includes(user.id) ? [user] : []))}
      keyOf={({ id }) => id}
      nameOf={nameOf}
    />
  )
}

// The API's limit; users beyond it are removed from the results here.
const excludedMax = 1000
