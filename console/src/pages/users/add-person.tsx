import { SimpleGrid, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { userList, userSearch, usersAdd } from '#client/api/operations.ts'
import type { User } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { FormModal } from '../../parts/form-modal.tsx'
import { UserPicker } from '../../parts/user-picker.tsx'

const empty = {
  displayName: '',
  email: '',
  jobTitle: '',
  department: '',
  employeeId: '',
  employmentType: '',
  employmentStatus: '',
}
type Texts = typeof empty

const labels: Readonly<Record<keyof Texts, string>> = {
  displayName: 'Name',
  email: 'Email address',
  jobTitle: 'Job title',
  department: 'Department',
  employeeId: 'Employee number',
  employmentType: 'Employment type',
  employmentStatus: 'Employment status',
}
const names = Object.keys(labels) as (keyof Texts)[]
const lengthMax: Partial<Record<keyof Texts, number>> = { email: 320, employeeId: 320 }

/** Adds one person manually. */
export function AddPerson({ onClose, onAdded }: { onClose: () => void; onAdded: (userId: string) => void }): ReactNode {
  const [texts, setTexts] = useState(empty)
  const [manager, setManager] = useState<User | null>(null)
  const add = useChange(usersAdd, {
    changes: [userSearch, userList],
    done: ({ matchedAccounts }) =>
      `Added ${texts.displayName.trim()}${matchedAccounts > 0 ? `, with ${matchedAccounts} of the accounts that had no user` : ''}`,
    onDone({ userView }) {
      onClose()
      if (userView?.user) onAdded(userView.user.id)
    },
  })
  const field = (name: keyof Texts): ReactNode => (
    <TextInput
      key={name}
      label={labels[name]}
      value={texts[name]}
      onChange={({ currentTarget: { value } }) => setTexts((before) => ({ ...before, [name]: value }))}
      error={problemOf(add.error, name)}
      required={name === 'displayName' || name === 'email'}
      maxLength={lengthMax[name] ?? 500}
      {...(name === 'displayName' && { 'data-autofocus': true })}
      {...(name === 'email' && { type: 'email' })}
    />
  )
  return (
    <FormModal
      opened
      onClose={onClose}
      title="Add person"
      verb="Add person"
      isIncomplete={texts.displayName.trim() === '' || texts.email.trim() === ''}
      isPending={add.isPending}
      error={add.error}
      fields={[...names, 'managerId']}
      onSubmit={() => add.mutate({ body: { ...texts, managerId: manager?.id ?? '' } })}
    >
      {field('displayName')}
      {field('email')}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        {names.slice(2).map(field)}
      </SimpleGrid>
      <UserPicker
        label="Manager"
        chosen={manager}
        onPick={setManager}
        onClear={() => setManager(null)}
        error={problemOf(add.error, 'managerId')}
      />
      <Text size="sm" c="dimmed">
        They get the role Basic User and can sign in once they have an invitation or use your sign-in provider. If a
        directory or an import has the same email address later, it describes this person: nobody is added twice.
      </Text>
    </FormModal>
  )
}
