const of = (root: string, fields: readonly string[]): string[] => fields.map((field) => `${root}.${field}`)
/** With their dot: what can be asked of a text. */
const functions = ['.startsWith(', '.endsWith(', '.contains(', '.matches(']

/** What an expression about a user can read. */
export const subjectNames: readonly string[] = [
  ...of('subject', [
    'email',
    'displayName',
    'username',
    'department',
    'jobTitle',
    'employmentType',
    'employmentStatus',
    'employeeIds[0]',
    'status',
    'directoryStatus',
    'type',
    'emails',
    'usernames',
    'manager',
    'managerId',
    'profile',
    'attributes',
  ]),
  ...functions,
]

/** What an expression about an account can read. */
export const accountNames: readonly string[] = [
  ...of('account', [
    'email',
    'username',
    'employeeIds[0]',
    'displayName',
    'profile',
    'status',
    'appUserType',
    'emails',
    'usernames',
    'employeeIds',
    'id',
  ]),
  ...functions,
]

/** What the filter of a subscription can read: an event, as the system log has it. */
export const eventNames: readonly string[] = [
  'kind',
  ...of('event', [
    'activity_name',
    'actor.user.uid',
    'actor.user.email_addr',
    'api.operation',
    'class_uid',
    'message',
    'resources.exists(r, r.type == "")',
    'severity_id',
    'src_endpoint.ip',
    'status_code',
    'status_id',
    'user.uid',
  ]),
  ...functions,
]
