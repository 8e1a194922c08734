import type { Tables } from './table.ts'

export const identity: Tables = {
  connector_credentials: {
    room: 'identity/tokens',
    read: {
      columns: 'credential_id connector_id client_id display_name created_at expires_at last_used_at revoked_at',
      reason: 'which credentials a connector has, and which end soon',
    },
  },
  credentials: {
    room: 'identity/credentials',
    read: {
      columns:
        'credential_id user_id client_id display_name allow_source_cidr scoped_role_ids created_at updated_at expires_at last_used_at deleted_at ancestor_ids',
      reason: 'whose credential it is, and what it may do',
    },
  },
  device_requests: { room: 'identity/tokens' },
  first_sign_ins: {
    room: 'identity/sessions',
    read: {
      columns: 'user_id signed_in_at invited_at',
      reason: 'who was invited, so that who knows the link may sign in as them',
    },
  },
  invitations: { room: 'identity/sessions' },
  oidc_identities: {
    room: 'identity/sessions',
    read: { columns: 'user_id', reason: 'who can sign in, in the setup checklist' },
  },
  oidc_providers: { room: 'identity/sessions' },
  passkeys: {
    room: 'identity/sessions',
    read: { columns: 'user_id', reason: 'who can sign in, in the setup checklist' },
  },
  principal_owners: { room: 'identity/principals' },
  revoked_tokens: { room: 'identity/credentials' },
  roles: { room: 'identity/roles', read: { columns: 'role_id name display_name', reason: 'its name' } },
  sessions: {
    room: 'identity/sessions',
    read: { columns: 'user_id', reason: 'who is signed in, when two users are merged' },
  },
  sign_in_challenges: { room: 'identity/sessions' },
  sign_in_links: { room: 'identity/sessions' },
  sign_in_policies: { room: 'identity/sessions' },
  source_limits: { room: 'identity/sources' },
  used_assertions: { room: 'identity/tokens' },
  user_delegations: {
    room: 'identity/users',
    read: {
      columns: 'user_id delegated_user_id start_at expiration_at created_at named_by',
      reason: 'who decides for whom',
    },
  },
  user_roles: {
    room: 'identity/roles',
    read: { columns: 'user_id role_id granted_at assigned_email mac', reason: 'who has which role' },
  },
  users: {
    room: 'identity/users',
    read: {
      columns:
        'user_id external_id type status display_name email emails username usernames employee_ids department job_title employment_status manager_ids managers_since email_since status_since profile created_at updated_at deleted_at merged_into',
      reason: 'who it is: name, status and manager',
    },
    alsoWrittenBy: { 'records/imports': 'a file has records of all kinds, which are written in bulk' },
    readByEarlier: { 'identity/roles': { columns: 'user_id email', reason: 'roles that were assigned by email' } },
  },
}
