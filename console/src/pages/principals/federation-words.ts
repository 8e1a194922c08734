import type { WorkloadFederationProvider } from '#client/api/types.ts'

type WellKnown = WorkloadFederationProvider['wellKnownProvider']

export const wellKnownTitles: Record<WellKnown, string> = {
  WELL_KNOWN_WORKLOAD_PROVIDER_UNSPECIFIED: 'Custom OIDC',
  WELL_KNOWN_WORKLOAD_PROVIDER_GITHUB_ACTIONS: 'GitHub Actions',
  WELL_KNOWN_WORKLOAD_PROVIDER_GITLAB_CI: 'GitLab CI/CD',
  WELL_KNOWN_WORKLOAD_PROVIDER_HCP_TERRAFORM: 'HCP Terraform',
  WELL_KNOWN_WORKLOAD_PROVIDER_AWS_IAM_OUTBOUND: 'AWS IAM',
  WELL_KNOWN_WORKLOAD_PROVIDER_SPIFFE: 'SPIFFE',
  WELL_KNOWN_WORKLOAD_PROVIDER_CUSTOM: 'Custom OIDC',
}
export const wellKnownChoices = (Object.keys(wellKnownTitles) as WellKnown[])
  .filter((value) => !value.endsWith('UNSPECIFIED'))
  .map((value) => ({ value, label: wellKnownTitles[value] }))

/** The issuer where none is named. */
export const usualIssuers: Partial<Record<WellKnown, string>> = {
  WELL_KNOWN_WORKLOAD_PROVIDER_GITHUB_ACTIONS: 'https://token.actions.githubusercontent.com',
  WELL_KNOWN_WORKLOAD_PROVIDER_GITLAB_CI: 'https://gitlab.com',
  WELL_KNOWN_WORKLOAD_PROVIDER_HCP_TERRAFORM: 'https://app.terraform.io',
}

/** A condition to begin with: it names one workload by what stays. */
export const conditionExamples: Partial<Record<WellKnown, string>> = {
  WELL_KNOWN_WORKLOAD_PROVIDER_GITHUB_ACTIONS: 'claims.repository_id == "123456789" && claims.ref == "refs/heads/main"',
  WELL_KNOWN_WORKLOAD_PROVIDER_GITLAB_CI: 'claims.project_id == "1234" && claims.ref_protected == "true"',
  WELL_KNOWN_WORKLOAD_PROVIDER_HCP_TERRAFORM:
    'claims.terraform_workspace_id == "ws-AbCd1234" && claims.terraform_run_phase == "apply"',
  WELL_KNOWN_WORKLOAD_PROVIDER_AWS_IAM_OUTBOUND: 'claims.sub == "arn:aws:iam::123456789012:role/deploy"',
  WELL_KNOWN_WORKLOAD_PROVIDER_SPIFFE: 'claims.sub == "spiffe://example.org/ns/prod/sa/deploy"',
}

export const stepTitles = {
  jwtDecode: 'The token can be read',
  issuerMatch: 'Issuer',
  signatureValidation: 'Signature',
  audienceValidation: 'Audience',
  tokenFreshness: 'Not expired, and not older than ten minutes',
  subjectValidation: 'Subject',
  celEvaluation: 'Condition',
  cidrCheck: 'Address',
} as const
export type StepName = keyof typeof stepTitles
export const stepTitle = (name: string): string =>
  Object.hasOwn(stepTitles, name) ? stepTitles[name as StepName] : name
