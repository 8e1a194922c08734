import type { Tables } from './table.ts'

export const records: Tables = {
  account_credentials: { room: 'records/accounts' },
  accounts: {
    room: 'records/accounts',
    read: {
      columns:
        '* app_id account_id external_id user_id user_since type status display_name email emails username usernames employee_ids profile created_at updated_at deleted_at is_manually_managed connector_ids',
      reason: 'whose account it is, and its name in lists, rules and messages',
    },
    alsoWrittenBy: { 'records/imports': 'a file has records of all kinds, which are written in bulk' },
    readByEarlier: {
      'identity/users': {
        columns: 'app_id account_id user_id deleted_at',
        reason: 'lists of users are filtered by their accounts, and limited to what the caller may see',
      },
      'records/apps': {
        columns: 'app_id account_id user_id deleted_at',
        reason: 'lists of entitlements are filtered by who has them',
      },
    },
  },
  app_usage_controls: { room: 'records/apps' },
  apps: {
    room: 'records/apps',
    read: {
      columns:
        'app_id external_id display_name created_at updated_at deleted_at grant_policy_id revoke_policy_id certify_policy_id is_directory identity_matching without_connector',
      reason: 'its name, the policies that apply to it, and who is asked if it has no connector',
    },
    alsoWrittenBy: { 'records/imports': 'a file has records of all kinds, which are written in bulk' },
    readByEarlier: {
      'identity/tokens': { columns: 'app_id deleted_at', reason: 'a connector of a deleted app gets no token' },
    },
  },
  attribute_values: {
    room: 'records/attributes',
    read: { columns: 'value_id value', reason: 'the names of risk levels and frameworks' },
  },
  connector_files: { room: 'records/connectors' },
  connector_grants: {
    room: 'records/imports',
    read: {
      columns: 'app_id entitlement_id account_id is_fixed data',
      reason: 'what a connector wrote of a grant, which it needs to revoke it',
    },
  },
  connector_objects: {
    room: 'records/imports',
    read: {
      columns: 'app_id kind external_id type_id data',
      reason: 'what a connector wrote of a record, which it needs to change it',
    },
  },
  connector_tasks: {
    room: 'records/connectors',
    read: {
      columns: 'connector_id task_id kind state ended_at app_id entitlement_id account_id',
      reason: 'what became of provisioning',
    },
    readByEarlier: {
      'records/imports': { columns: 'connector_id kind state', reason: 'a sync waits for tasks of its app' },
    },
  },
  connectors: {
    room: 'records/connectors',
    read: {
      columns: 'connector_id app_id display_name sync_disabled_at created_at deleted_at',
      reason: 'its name, its app, and whether it can be used',
    },
    readByEarlier: {
      'identity/tokens': {
        columns: 'connector_id app_id display_name deleted_at',
        reason: 'connectors authenticate by their credentials',
      },
      'records/grants': {
        columns: 'app_id deleted_at',
        reason: 'grants of apps with a connector are carried out by it',
      },
      'records/imports': {
        columns: 'connector_id app_id deleted_at has_reported',
        reason: 'a sync removes only what its connector reported',
      },
    },
  },
  directories: {
    room: 'records/directories',
    read: {
      columns: 'app_id held_since last_error_at last_error created_at deleted_at kind rank',
      reason: 'which apps are directories, their order, and their errors',
    },
    readByEarlier: {
      'records/accounts': { columns: 'deleted_at kind', reason: 'accounts of directories are not matched manually' },
      'records/imports': { columns: 'app_id deleted_at kind', reason: 'users of directories are not imported' },
    },
  },
  directory_groups: { room: 'records/directories' },
  directory_sizes: { room: 'records/directories' },
  directory_tokens: {
    room: 'records/directories',
    read: {
      columns: 'token_id app_id created_at expires_at revoked_at',
      reason: 'which tokens end soon, on the home page',
    },
  },
  directory_users: {
    room: 'records/directories',
    read: {
      columns: 'app_id account_id user_id is_held deleted_at seen_at matched_by',
      reason: 'which accounts of directories are whose',
    },
    readByEarlier: {
      'records/imports': {
        columns: 'app_id account_id user_id deleted_at',
        reason: 'users of directories are not imported',
      },
    },
  },
  entitlement_proxies: {
    room: 'records/apps',
    read: {
      columns: '* src_app_id src_entitlement_id dst_app_id dst_entitlement_id',
      reason: 'which entitlements lead to others',
    },
  },
  entitlements: {
    room: 'records/apps',
    read: {
      columns:
        '* app_id entitlement_id external_id resource_type_id resource_id display_name description slug alias purpose created_at deleted_at risk_level_value_id compliance_framework_value_ids duration_grant_seconds is_manually_managed is_duration_unset grant_policy_id revoke_policy_id certify_policy_id emergency_policy_id is_emergency_enabled provisioner deprovisioner overrides_defaults connector_ids',
      reason: 'its name and place, and how it is granted and revoked',
    },
    alsoWrittenBy: { 'records/imports': 'a file has records of all kinds, which are written in bulk' },
  },
  grant_sources: {
    room: 'records/grants',
    read: {
      columns: 'app_id entitlement_id account_id source_entitlement_id',
      reason: 'which grants come from other grants',
    },
  },
  grants: {
    room: 'records/grants',
    read: {
      columns:
        '* app_id entitlement_id account_id grant_id source granted_by granted_at expires_at began_at ended_at ended_by ended_why reason connector_ids',
      reason: 'who has what, since when and by what',
    },
    alsoWrittenBy: { 'records/imports': 'a file has records of all kinds, which are written in bulk' },
    readByEarlier: {
      'identity/users': {
        columns: 'app_id account_id expires_at ended_at',
        reason: 'what a caller may see of users',
      },
      'records/apps': {
        columns: 'app_id entitlement_id account_id expires_at ended_at',
        reason: 'lists of entitlements are filtered by who has them',
      },
    },
  },
  imports: {
    room: 'records/imports',
    read: { columns: 'import_id format user_id started_at app_id', reason: 'what imported a record' },
    readByEarlier: {
      'records/grants': {
        columns: 'import_id app_id',
        reason: 'the history of grants names the import that gave or ended them',
      },
    },
  },
  provisioning_changes: {
    room: 'records/grants',
    read: { columns: 'app_id entitlement_id account_id cause_id change', reason: 'connectors carry them out' },
  },
  resource_types: {
    room: 'records/apps',
    read: { columns: 'app_id resource_type_id external_id display_name deleted_at', reason: 'its name' },
    alsoWrittenBy: { 'records/imports': 'a file has records of all kinds, which are written in bulk' },
  },
  resources: {
    room: 'records/apps',
    read: {
      columns:
        'app_id resource_type_id resource_id external_id display_name updated_at deleted_at parent_resource_type_id parent_resource_id connector_ids',
      reason: 'its name and place',
    },
    alsoWrittenBy: { 'records/imports': 'a file has records of all kinds, which are written in bulk' },
  },
  scim_connections: { room: 'records/connectors' },
}
