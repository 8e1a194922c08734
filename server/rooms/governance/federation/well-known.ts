/** The providers that have presets, as published. */
export const wellKnownNames = [
  'CUSTOM',
  'GITHUB_ACTIONS',
  'GITLAB_CI',
  'HCP_TERRAFORM',
  'AWS_IAM_OUTBOUND',
  'SPIFFE',
] as const
export type WellKnown = (typeof wellKnownNames)[number]

export const wellKnownPrefix = 'WELL_KNOWN_WORKLOAD_PROVIDER_'

type Preset = {
  title: string
  /** The default issuer; null if each customer has a different one. */
  issuerUrl: string | null
  /** Whether only this issuer, or one below it, is allowed. */
  isFixed: boolean
  /** Claims that identify the owner of a workload. Others describe where or when it runs, which is the same for anyone's. */
  subjectClaims: readonly string[] | null
  /**
   * Those that are names, which can be given up and registered by someone else, each with the permanent number to use
   * instead.
   */
  renamable: { readonly [claim: string]: string }
}

/** Claims that every issuer sets do not distinguish workloads. */
export const commonClaims: ReadonlySet<string> = new Set(['aud', 'iss', 'exp', 'nbf', 'iat', 'jti', 'typ', 'azp'])

export const presets: Record<WellKnown, Preset> = {
  CUSTOM: { title: 'Custom OIDC', issuerUrl: null, isFixed: false, subjectClaims: null, renamable: {} },
  GITHUB_ACTIONS: {
    title: 'GitHub Actions',
    issuerUrl: 'https://token.actions.githubusercontent.com',
    isFixed: true,
    // `actor` is not included: someone who comments on another person's pull request is the actor of its workflow.
    subjectClaims: [
      ...['sub', 'repository', 'repository_id', 'repository_owner', 'repository_owner_id'],
      ...['enterprise', 'enterprise_id', 'job_workflow_ref', 'workflow_ref'],
    ],
    renamable: {
      sub: 'repository_id',
      repository: 'repository_id',
      repository_owner: 'repository_owner_id',
      enterprise: 'enterprise_id',
      job_workflow_ref: 'repository_owner_id',
      workflow_ref: 'repository_id',
    },
  },
  GITLAB_CI: {
    title: 'GitLab CI/CD',
    issuerUrl: 'https://gitlab.com',
    isFixed: false,
    subjectClaims: ['sub', 'project_path', 'project_id', 'namespace_path', 'namespace_id', 'ci_config_ref_uri'],
    renamable: {
      sub: 'project_id',
      project_path: 'project_id',
      namespace_path: 'namespace_id',
      ci_config_ref_uri: 'project_id',
    },
  },
  HCP_TERRAFORM: {
    title: 'HCP Terraform',
    issuerUrl: 'https://app.terraform.io',
    isFixed: false,
    subjectClaims: [
      ...['sub', 'terraform_organization', 'terraform_organization_name', 'terraform_organization_id'],
      ...['terraform_workspace_id', 'terraform_project_id'],
    ],
    renamable: {
      sub: 'terraform_workspace_id',
      terraform_organization: 'terraform_organization_id',
      terraform_organization_name: 'terraform_organization_id',
    },
  },
  // The issuer belongs to one account: whatever else is pinned is within it.
  AWS_IAM_OUTBOUND: {
    title: 'AWS IAM',
    issuerUrl: null,
    isFixed: false,
    subjectClaims: ['sub', 'https://sts.amazonaws.com/'],
    renamable: {},
  },
  SPIFFE: { title: 'SPIFFE', issuerUrl: null, isFixed: false, subjectClaims: ['sub'], renamable: {} },
}

export const presetOf = (wellKnown: string): Preset =>
  Object.hasOwn(presets, wellKnown) ? presets[wellKnown as WellKnown] : presets.CUSTOM
