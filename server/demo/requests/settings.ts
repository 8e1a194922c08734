import type { Finds, Ref } from './find.ts'
import type { Operate } from './operate.ts'

const day = 86_400
const seconds = (count: number): string => `${count}s`

/** Sets up how access is requested at Larkfield, with the operations that an administrator would use. */
export async function setUpRequests(operate: Operate, finds: Finds, now: Date): Promise<void> {
  const policies = await createPolicies(operate, finds)
  await createForm(operate, finds)
  await setTerms(operate, finds, policies)
  await createProfiles(operate, finds)
  // While the Director of IT is on leave, incoming requests go to a colleague.
  await operate(
    'user.v1.UserService.SetExpiringUserDelegationBindingByAdmin',
    { user_id: finds.titled('Director of IT').id },
    {
      delegatedUserId: finds.titled('Systems Administration Manager').id,
      delegationStartAt: now.toISOString(),
      delegationExpireAt: new Date(now.getTime() + 10 * day * 1000).toISOString(),
    },
  )
}

type Policies = {
  [name in 'managerThenOwner' | 'security' | 'contractors' | 'finance' | 'training' | 'emergency']: string
}

async function createPolicies(operate: Operate, { ref, titled }: Finds): Promise<Policies> {
  const create = async (displayName: string, description: string, more: object): Promise<string> => {
    const body = { displayName, description, policyType: 'POLICY_TYPE_GRANT', ...more }
    const { policy } = await operate('policy.v1.Policies.Create', {}, body)
    return (policy as { id: string }).id
  }
  const steps = (...all: object[]) => ({ policySteps: { grant: { steps: [...all, { provision: {} }] } } })
  const usual = { allowReassignment: true, allowDelegation: true }
  const team = ref('directory:group:team-security:member')
  const securityTeam = { group: { appId: team.appId, appGroupId: team.id }, requireApprovalReason: true, ...usual }
  return {
    managerThenOwner: await create(
      'Manager, then owner, within three days',
      'If the manager has not decided after three days, the Director of IT decides.',
      steps(
        {
          approval: {
            manager: {},
            requireDenialReason: true,
            ...usual,
            escalationEnabled: true,
            escalation: {
              expiration: String(3 * day),
              escalationComment: 'The manager did not decide within three days.',
              reassignToApprovers: { approverIds: [titled('Director of IT').id] },
            },
          },
        },
        { approval: { appOwners: { requireDistinctApprovers: true }, ...usual } },
      ),
    ),
    security: await create('Security team', 'Anyone in the security team decides, and says why.', {
      ...steps({ approval: securityTeam }),
    }),
    contractors: await create('Manager; for contractors also security', 'Contractors need one more approval.', {
      policySteps: {
        grant: { steps: [{ approval: { manager: {}, ...usual } }, { provision: {} }] },
        contractors: {
          steps: [{ approval: { manager: {}, ...usual } }, { approval: securityTeam }, { provision: {} }],
        },
      },
      rules: [{ condition: 'subject.employmentType == "contractor"', stepKey: 'contractors' }],
    }),
    finance: await create(
      'Chief Financial Officer',
      'Found by an expression, so that it depends on the email address and not on the person.',
      steps({
        approval: {
          expression: {
            expressions: [
              `c1.directory.users.v1.FindByEmail(${JSON.stringify(titled('Chief Financial Officer').email)})`,
            ],
          },
          ...usual,
        },
      }),
    ),
    training: await create(
      'After safety training',
      'Waits until the training is recorded in the profile, then the owner decides.',
      steps(
        {
          wait: {
            name: 'Safety training',
            condition: { condition: 'subject.profile.safetyTraining == "passed"' },
            timeoutDuration: seconds(14 * day),
            commentOnTimeout: 'The training was not completed in time.',
          },
        },
        { approval: { appOwners: {}, ...usual } },
      ),
    ),
    emergency: await create('Emergency', 'Granted immediately, for as long as an incident takes.', {
      ...steps({
        accept: { acceptMessage: 'Emergency access is granted immediately. The security team reviews the log.' },
      }),
    }),
  }
}

async function createForm(operate: Operate, { ref }: Finds): Promise<void> {
  const { requestSchema } = await operate(
    'request_schema.v1.RequestSchemaService.Create',
    {},
    {
      name: 'Change in production',
      description: 'What is changed, and how it is undone.',
      fields: [
        { name: 'change', displayName: 'Change ticket', required: true, stringField: { placeholder: 'CHG-1234' } },
        {
          name: 'window',
          displayName: 'When',
          required: true,
          stringField: {
            selectField: {
              options: [
                { displayName: 'During working hours', value: 'day' },
                { displayName: 'At night', value: 'night' },
                { displayName: 'At the weekend', value: 'weekend' },
              ],
            },
          },
        },
        { name: 'rollback', displayName: 'Rollback was tested', boolField: { checkboxField: {} } },
      ],
    },
  )
  const requestSchemaId = (requestSchema as { id: string }).id
  await operate(
    'request_schema.v1.RequestSchemaService.CreateEntitlementBinding',
    {},
    { entitlementRef: ref('cloud:project:production:editor'), requestSchemaId },
  )
}

async function setTerms(operate: Operate, { app, ref }: Finds, policies: Policies): Promise<void> {
  const set = (path: string, entitlement: object) => {
    const { appId, id } = ref(path)
    const body = { entitlement, updateMask: Object.keys(entitlement).join() }
    return operate('app.v1.AppEntitlements.Update', { app_id: appId, id }, body)
  }
  const emergency = { emergencyGrantEnabled: true, emergencyGrantPolicyId: policies.emergency }
  const byHand = (instructions: string) => ({ manual: { instructions, assignee: { appOwners: {} } } })
  await set('cloud:project:production:editor', {
    alias: 'production-editor',
    grantPolicyId: policies.security,
    durationGrant: seconds(7 * day),
    ...emergency,
    revokePolicyId: '0builtinRevokeByOwners00001',
  })
  await set('data-warehouse:dataset:finance:read', { alias: 'finance-data', grantPolicyId: policies.finance })
  await set('door-access:door:leeds-calibration-room:enter', { grantPolicyId: policies.training })
  await set('door-access:door:leeds-laboratory:enter', {
    grantPolicyId: policies.managerThenOwner,
    provisionerPolicy: byHand('Add the door to the badge at the reception in Leeds. The person must be there with it.'),
  })
  await set('vpn:network:servers:connect', { alias: 'vpn-servers', grantPolicyId: policies.managerThenOwner })
  const rule = (displayName: string, condition: string, settings: object) =>
    operate(
      'app.v1.AppEntitlementRoutingRuleService.CreateAppEntitlementRoutingRule',
      { app_id: app('source-code') },
      { displayName, condition, enabled: true, settings },
    )
  await rule('Administrators', 'entitlement.displayName.endsWith("Admin")', {
    requestPolicyId: policies.security,
    maxGrantDuration: seconds(day),
    ...emergency,
  })
  await rule('Everything else', '', { requestPolicyId: policies.contractors, maxGrantDuration: seconds(180 * day) })
  for (const key of ['crm', 'data-warehouse'])
    await operate(
      'app.v1.AppAccessRequestsDefaultsService.CreateAppAccessRequestsDefaults',
      { app_id: app(key) },
      { defaultsEnabled: true, requestPolicyId: policies.managerThenOwner, durationGrant: seconds(90 * day) },
    )
  await operate(
    'settings.v1.RequestSettingsService.Update',
    {},
    { requestSettings: { skipJustification: false }, updateMask: 'skipJustification' },
  )
}

const service = 'requestcatalog.v1.RequestCatalogManagementService'

async function createProfiles(operate: Operate, { ref }: Finds): Promise<void> {
  const create = async (terms: object, visibleTo: readonly Ref[], entries: readonly string[]): Promise<string> => {
    const body = { published: true, ...terms }
    const { requestCatalogView } = await operate(`${service}.Create`, {}, body)
    const { id } = (requestCatalogView as { requestCatalog: { id: string } }).requestCatalog
    await operate(`${service}.AddAppEntitlements`, { catalog_id: id }, { appEntitlements: entries.map(ref) })
    if (visibleTo.length > 0)
      await operate(`${service}.AddAccessEntitlements`, { catalog_id: id }, { accessEntitlements: visibleTo })
    return id
  }
  await create(
    { displayName: 'For everyone', description: 'What anyone at Larkfield can request.', visibleToEveryone: true },
    [],
    everyone,
  )
  await create(
    { displayName: 'Engineering', description: 'Repositories, pipelines and the cloud.' },
    [ref('directory:organisation-group:engineering:member'), ref('directory:organisation-group:data:member')],
    engineering,
  )
  await create(
    { displayName: 'Sales', description: 'Customers and their numbers.' },
    [ref('directory:organisation-group:sales:member')],
    sales,
  )
  const starters = await create(
    {
      displayName: 'Customer support starter kit',
      description: 'What everyone in Customer Support gets, and loses when they leave it.',
      requestBundle: true,
      enrollmentBehavior: 'REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_BYPASS_ENTITLEMENT_REQUEST_POLICY',
      unenrollmentBehavior: 'REQUEST_CATALOG_UNENROLLMENT_BEHAVIOR_REVOKE_UNJUSTIFIED',
    },
    [ref('directory:organisation-group:customer-support:member')],
    [
      'crm:role:read-only:assigned',
      'ticketing:project:customer-cases:browse',
      'data-warehouse:dataset:support-cases:read',
    ],
  )
  await operate(
    `${service}.CreateBundleAutomation`,
    { request_catalog_id: starters },
    { cel: { expression: 'subject.department == "Customer Support"' }, enabled: true },
  )
}

const everyone = [
  'wiki:space:engineering:edit',
  'wiki:space:product:edit',
  'wiki:space:sales:edit',
  'wiki:space:runbooks:read',
  'data-warehouse:dataset:web-visits:read',
  'data-warehouse:dataset:sales:read',
  'data-warehouse:dataset:finance:read',
  'data-warehouse:dataset:measurements:read',
  'ticketing:project:factory-changes:browse',
  'vpn:network:servers:connect',
  'vpn:network:engineering-lab:connect',
  'door-access:door:leeds-calibration-room:enter',
  'door-access:door:leeds-laboratory:enter',
  'door-access:door:leeds-archive:enter',
]

const engineering = [
  ...['order-api', 'customer-portal', 'infrastructure', 'design-system', 'data-pipelines'].flatMap((repository) =>
    ['read', 'write', 'admin'].map((level) => `source-code:repository:${repository}:${level}`),
  ),
  ...['production', 'staging'].flatMap((project) =>
    ['viewer', 'editor'].map((level) => `cloud:project:${project}:${level}`),
  ),
  'build-system:pipeline:portal-deployment:run',
  'build-system:pipeline:firmware-release:run',
]

const sales = [
  'crm:role:sales-manager:assigned',
  'crm:role:discount-approver:assigned',
  ...['northern-europe', 'southern-europe', 'americas', 'asia-pacific'].map((name) => `crm:territory:${name}:edit`),
]
