const of = (root: string, fields: readonly string[]): string[] => fields.map((field) => `${root}.${field}`)
/** With their dot: what can be asked of a text. */
const functions = ['.startsWith(', '.endsWith(', '.contains(', '.matches(']

/** What else can be asked of texts and lists. */
const moreFunctions = ['.lowerAscii()', '.upperAscii()', '.size()', '.exists(x, x', '.all(x, x']

const calls = [
  'has(subject.profile.',
  'size(',
  'now()',
  'timestamp(',
  'duration("',
  'c1.user.v1.HasApp(subject, "',
  'c1.user.v1.HasEntitlement(subject, "',
]

const named = ['UserStatus.ENABLED', 'UserStatus.DISABLED', 'UserType.HUMAN', 'UserType.SERVICE']

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
    'id',
  ]),
  ...functions,
  ...moreFunctions,
  ...calls,
  ...named,
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
