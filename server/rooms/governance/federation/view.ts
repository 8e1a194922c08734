import {
  described,
  flag,
  int32,
  leftOut,
  list,
  message,
  nested,
  oneOf,
  readOnly,
  struct,
  text,
  timestamp,
} from '#kernel/wire.ts'
import type { TrustProvider } from '#rooms/identity/credentials/index.ts'
import { namedLength } from '#rooms/identity/credentials/index.ts'
import type { Attempt } from './attempts/attempt.ts'
import { type Step, type StepName, stepNames, type Verdict } from './checking/steps.ts'
import type { Replayed } from './plan.ts'
import type { Trust } from './trust.ts'
import type { Warning } from './warnings.ts'
import { type WellKnown, wellKnownNames, wellKnownPrefix } from './well-known.ts'

const descriptionLength = 2048
const urlLength = 2048
export const conditionLength = 4096

const OidcSettings = message('workload_federation.v1.OIDCSettings', {}, 'An OpenID Connect issuer.')
const SpiffeSettings = message(
  'workload_federation.v1.SPIFFESettings',
  { bundleEndpointUrl: described(text({ maxLength: urlLength }), 'Where the trust domain publishes its keys.') },
  'A SPIFFE trust domain.',
)

const wellKnownProvider = oneOf([
  `${wellKnownPrefix}UNSPECIFIED`,
  ...wellKnownNames.map((name) => `${wellKnownPrefix}${name}` as const),
])
export const wellKnownOf = (name: string): WellKnown | null =>
  wellKnownNames.find((each) => `${wellKnownPrefix}${each}` === name) ?? null

const named = {
  displayName: text({ maxLength: namedLength }),
  description: text({ maxLength: descriptionLength }),
}
const settings = { oidc: nested(OidcSettings), spiffe: nested(SpiffeSettings) }
export const newProviderFields = {
  ...named,
  issuerUrl: described(
    text({ maxLength: urlLength }),
    'The issuer. Optional for GITHUB_ACTIONS, GITLAB_CI and HCP_TERRAFORM, which have a default.',
  ),
  wellKnownProvider,
  ...settings,
}

export const Provider = message(
  'workload_federation.v1.WorkloadFederationProvider',
  {
    id: readOnly(text()),
    ...named,
    issuerUrl: readOnly(text()),
    wellKnownProvider: readOnly(wellKnownProvider),
    disabled: described(
      flag(),
      'While it is disabled, no token of this issuer is accepted, and neither are access tokens that were issued for one.',
    ),
    ...settings,
    createdAt: readOnly(timestamp()),
    updatedAt: readOnly(timestamp()),
  },
  'An issuer whose tokens service principals may trust.',
)

export const viewProvider = (provider: TrustProvider) => ({
  id: provider.id,
  displayName: provider.displayName,
  description: provider.description,
  issuerUrl: provider.issuerUrl,
  wellKnownProvider: `${wellKnownPrefix}${provider.wellKnown as WellKnown}` as const,
  disabled: provider.isDisabled,
  oidc: provider.wellKnown === 'SPIFFE' ? null : {},
  spiffe: provider.wellKnown === 'SPIFFE' ? { bundleEndpointUrl: provider.bundleEndpointUrl } : null,
  createdAt: provider.createdAt,
  updatedAt: provider.updatedAt,
})

const trustTerms = {
  ...named,
  conditionExpression: described(
    text({ maxLength: conditionLength }),
    'A condition in CEL about `claims`, the claims of the token: at most 1,024 bytes.',
  ),
  scopedRoleIds: described(
    list(text({ maxLength: 64 }), 100),
    'The roles of the service principal that access tokens have. Empty: all of them.',
  ),
  allowSourceCidrs: described(list(text(), 1000), 'At most 32 CIDR blocks or addresses. Empty: any address.'),
  passthroughClaims: described(
    list(text({ maxLength: 1000 }), 1000),
    'At most 32 claims of the token whose strings are copied to the claim c1wfc of the access token.',
  ),
}
export const newTrustFields = { ...trustTerms, providerId: text({ maxLength: 64 }) }

export const TrustMessage = message(
  'workload_federation.v1.WorkloadFederationTrust',
  {
    clientId: readOnly(text()),
    servicePrincipalId: readOnly(text()),
    providerId: readOnly(text()),
    ...trustTerms,
    disabled: described(
      flag(),
      'While it is disabled, no token is accepted, and neither are access tokens that were issued.',
    ),
    createdAt: readOnly(timestamp()),
    updatedAt: readOnly(timestamp()),
  },
  'Which tokens of an issuer are accepted for a service principal.',
)

export const viewTrust = ({ credential, terms }: Trust) => ({
  clientId: credential.clientId,
  servicePrincipalId: terms.principalId,
  providerId: terms.providerId,
  displayName: credential.displayName,
  description: terms.description,
  conditionExpression: terms.condition,
  scopedRoleIds: credential.scopedRoles,
  allowSourceCidrs: credential.allowSourceCidr,
  passthroughClaims: terms.passthroughClaims,
  disabled: terms.isDisabled,
  createdAt: credential.createdAt,
  updatedAt: terms.updatedAt,
})

const StepResult = message('workload_federation.v1.TestTokenStepResult', {
  stepName: text(),
  passed: flag(),
  skipped: flag(),
  expected: text(),
  actual: text(),
  detail: text(),
})
type StepFields = { [name in StepName]: ReturnType<typeof nested<(typeof StepResult)['fields']>> }
export const testReplyFields = {
  ...(Object.fromEntries(stepNames.map((name) => [name, leftOut(nested(StepResult))])) as StepFields),
  overallResult: flag(),
  decodedClaimsJson: text(),
}

const viewStep = (stepName: StepName, { isPassed, isSkipped, expected, actual, detail }: Step) => ({
  stepName,
  passed: isPassed,
  skipped: isSkipped,
  expected,
  actual,
  detail,
})
type StepView = ReturnType<typeof viewStep>

export const viewVerdict = ({ steps, failed, decoded }: Verdict) => ({
  ...(Object.fromEntries([...steps].map(([name, step]) => [name, viewStep(name, step)])) as {
    [name in StepName]: StepView
  }),
  overallResult: failed === null,
  decodedClaimsJson: decoded ? JSON.stringify(decoded.claims) : '',
})

export const WarningMessage = message(
  'bailiwick.v1.FederationWarning',
  {
    code: described(text(), 'SUBJECT_NOT_PINNED, NAME_CAN_BE_TAKEN or PREFIX_IS_OPEN'),
    message: text(),
  },
  'A risk in a valid condition.',
)
export const viewWarning = ({ code, message: words }: Warning) => ({ code, message: words })

export const AttemptMessage = message(
  'bailiwick.v1.FederationAttempt',
  {
    id: text(),
    outcome: described(text(), 'ADMITTED or REFUSED'),
    failedStep: described(text(), 'The step that refused it, as in the response of a test; empty if it was accepted.'),
    reason: described(text(), 'As in the system log: cel_condition_not_met, token_too_old and so on.'),
    detail: text(),
    claims: described(
      struct(),
      'The claims, if the issuer signed the token; without claims about people and claims that differ in every token.',
    ),
    omittedClaims: described(list(text()), 'Claims of the token that are not stored.'),
    sourceAddress: described(text(), 'The IP address of the last one.'),
    times: described(int32(), 'How many similar tokens there were.'),
    firstAt: timestamp(),
    lastAt: timestamp(),
  },
  'Tokens that a trust received: one token, or several similar ones. Kept for two weeks, 500 of each outcome; never a token.',
)

export const viewAttempt = (attempt: Attempt) => ({
  id: attempt.id,
  outcome: attempt.isAdmitted ? 'ADMITTED' : 'REFUSED',
  failedStep: attempt.step,
  reason: attempt.reason,
  detail: attempt.detail,
  claims: attempt.claims === null ? null : (JSON.parse(attempt.claims) as { [name: string]: unknown }),
  omittedClaims: attempt.omitted,
  sourceAddress: attempt.sourceAddress,
  times: attempt.times,
  firstAt: attempt.firstAt,
  lastAt: attempt.lastAt,
})

export const ReplayedMessage = message('bailiwick.v1.FederationReplayed', {
  attempt: nested(AttemptMessage),
  was: described(text(), 'ADMITTED or REFUSED'),
  becomes: described(text(), 'ADMITTED, REFUSED, or UNKNOWN if the condition reads a claim that is not stored.'),
  detail: text(),
})

export const viewReplayed = ({ attempt, was, becomes, detail }: Replayed) => ({
  attempt: viewAttempt(attempt),
  was: was.toUpperCase(),
  becomes: becomes.toUpperCase(),
  detail,
})
