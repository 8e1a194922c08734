import type { DirectoryConflict } from '#client/api/types.ts'

/** The attributes that a directory can have, in the order in which they are shown. */
export const attributeWords: Readonly<Record<string, string>> = {
  displayName: 'Name',
  email: 'Email address',
  username: 'Username',
  employeeIds: 'Employee IDs',
  department: 'Department',
  jobTitle: 'Job title',
  employmentType: 'Employment type',
  employmentStatus: 'Employment status',
  manager: 'Manager',
  status: 'Status in the directory',
  profile: 'All profile fields',
}

export const attributeName = (attribute: string): string =>
  attributeWords[attribute] ?? attribute.replace(/^profile\./, 'Profile field ')

/** As the API has it where it belongs to a plan: `SEVERAL_USERS: ann`. */
export function conflictIn(reason: string): Pick<DirectoryConflict, 'reason' | 'key'> {
  const [code = '', ...key] = reason.split(': ')
  return { reason: code, key: key.join(': ') }
}

/** Why an account does not become a user, and what to do about it. */
export function conflictWords({ reason, key }: Pick<DirectoryConflict, 'reason' | 'key'>): readonly [string, string] {
  const quoted = key && ` “${key}”`
  if (reason === 'NO_KEY')
    return ['All keys of the account are empty.', 'Correct the account in its app, or add another key.']
  if (reason === 'SEVERAL_USERS')
    return [`Several users have the key${quoted}.`, 'Merge the users, or use a key that only one user has.']
  if (reason === 'SEVERAL_ACCOUNTS')
    return [
      `Another account of this directory belongs to the same person${key && `: both have the key${quoted}`}.`,
      'Remove one of the accounts, or use keys that tell them apart.',
    ]
  if (reason === 'EMAIL_TAKEN')
    return [
      `Another user has the email address${quoted}.`,
      'If they are one person, merge the users. Otherwise, correct the address.',
    ]
  if (reason === 'FILTER_FAILED')
    return [
      'The condition fails for this account.',
      'Check the profile field with has(…) first, or add the field to the account.',
    ]
  return [reason, '']
}
