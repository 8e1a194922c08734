import type { Tables } from './table.ts'

export const governance: Tables = {
  access_removals: {
    room: 'governance/leavers',
    readByEarlier: {
      'records/grants': {
        columns: 'removal_id user_id reason',
        reason: 'the history of grants names the removal that ended them',
      },
    },
  },
  answerable_rounds: { room: 'governance/tasks' },
  changes: {
    room: 'governance/four-eyes',
    read: { columns: 'task_id carried_out_at', reason: 'changes that wait for approval, on the home page' },
  },
  chat_webhooks: { room: 'governance/notifications' },
  drift: { room: 'governance/drift' },
  drift_checks: { room: 'governance/drift' },
  drift_run_items: { room: 'governance/drift' },
  drift_runs: { room: 'governance/drift' },
  federation_attempts: { room: 'governance/federation' },
  federation_providers: {
    room: 'governance/federation',
    readByEarlier: {
      'identity/credentials': {
        columns:
          'provider_id display_name description well_known issuer_url bundle_endpoint_url is_disabled created_at updated_at mac',
        reason: 'what a restored backup invalidates, and the checks of tokens of other issuers',
      },
    },
  },
  federation_trusts: {
    room: 'governance/federation',
    readByEarlier: {
      'identity/credentials': {
        columns:
          'credential_id principal_id provider_id description condition passthrough_claims is_disabled updated_at mac',
        reason: 'what a restored backup invalidates, and the checks of tokens of other issuers',
      },
    },
  },
  form_bindings: {
    room: 'governance/forms',
    read: { columns: 'app_id entitlement_id form_id', reason: 'which form a request has' },
    readByEarlier: {
      'records/apps': {
        columns: 'app_id entitlement_id form_id',
        reason: 'what a deletion of an app ends, and what a request would do',
      },
    },
  },
  forms: { room: 'governance/forms', read: { columns: 'form_id', reason: 'names in events' } },
  four_eyes: {
    room: 'governance/four-eyes',
    readByEarlier: { 'governance/tasks': { columns: 'kind policy_id', reason: 'which changes wait for approval' } },
  },
  mail_audit: { room: 'governance/notifications' },
  mail_senders: { room: 'governance/notifications' },
  notification_cursors: { room: 'governance/notifications' },
  notification_messages: {
    room: 'governance/notifications',
    read: { columns: 'message_id state error ended_at', reason: 'what was not sent, on the home page' },
  },
  notification_settings: { room: 'governance/notifications' },
  notifications: { room: 'governance/notifications' },
  owner_orders: { room: 'governance/owners' },
  policies: {
    room: 'governance/policies',
    read: {
      columns: 'policy_id display_name steps rules referred_ids deleted_at type',
      reason: 'which policies name a person, and their names',
    },
  },
  profile_automations: { room: 'governance/profiles' },
  profile_entries: {
    room: 'governance/profiles',
    read: { columns: 'profile_id app_id entitlement_id is_enrollment', reason: 'what a profile contains' },
    readByEarlier: {
      'records/apps': { columns: 'profile_id app_id entitlement_id', reason: 'what an owner may grant' },
      'rules/automation': {
        columns: 'profile_id app_id entitlement_id is_enrollment',
        reason: 'entitlements that enrollment grants have no separate rule',
      },
    },
  },
  profile_members: {
    room: 'governance/profiles',
    readByEarlier: {
      'governance/policies': {
        columns: 'profile_id user_id state is_automatic',
        reason: 'who is a member of a profile, as approvers',
      },
    },
  },
  profile_visibility: {
    room: 'governance/profiles',
    read: {
      columns: 'profile_id app_id entitlement_id',
      reason: 'what may be requested, and what owners may grant',
    },
  },
  profiles: {
    room: 'governance/profiles',
    read: {
      columns:
        'profile_id display_name description is_published enrollment unenrollment unenrollment_entitlements created_by deleted_at is_for_everyone',
      reason: 'its name, and what it does at enrollment',
    },
    readByEarlier: {
      'records/apps': {
        columns: 'profile_id is_published deleted_at',
        reason: 'what an owner may grant',
      },
      'records/grants': { columns: 'profile_id display_name', reason: 'the paths of access name the profile' },
    },
  },
  request_defaults: {
    room: 'governance/terms',
    read: {
      columns:
        'app_id grant_policy_id emergency_policy_id is_enabled form_id duration_seconds is_duration_unset is_emergency_enabled resource_type_ids',
      reason: 'what may be requested, and what owners may grant',
    },
    readByEarlier: {
      'records/apps': {
        columns: 'app_id is_enabled resource_type_ids',
        reason: 'what an owner may grant, and what a deletion of an app ends',
      },
      'governance/forms': { columns: 'app_id form_id', reason: 'what uses a form' },
      'governance/policies': { columns: 'app_id grant_policy_id emergency_policy_id', reason: 'what uses a policy' },
    },
  },
  request_settings: { room: 'governance/terms' },
  routing_rules: {
    room: 'governance/terms',
    read: {
      columns:
        'grant_policy_id emergency_policy_id app_id is_enabled form_id condition max_seconds is_emergency_enabled place',
      reason: 'what may be requested, and what owners may grant',
    },
    readByEarlier: {
      'governance/forms': { columns: 'app_id rule_id display_name form_id', reason: 'what uses a form' },
      'governance/policies': {
        columns: 'rule_id display_name grant_policy_id emergency_policy_id',
        reason: 'what uses a policy',
      },
    },
  },
  task_actors: { room: 'governance/tasks', read: { columns: 'user_id task_id', reason: 'whom to notify' } },
  task_assignees: {
    room: 'governance/tasks',
    read: { columns: 'user_id task_id', reason: 'who decides a task' },
    readByEarlier: { 'governance/merging': { columns: 'user_id', reason: 'what merging two users would change' } },
  },
  task_events: {
    room: 'governance/tasks',
    read: {
      columns: 'task_id number event_id kind by_user_id happened_at data',
      reason: 'what happened to a task, for notifications',
    },
  },
  task_numbers: { room: 'governance/tasks' },
  task_provisionings: { room: 'governance/tasks' },
  tasks: {
    room: 'governance/tasks',
    read: {
      columns:
        'task_id number kind subject_user_id created_by app_id entitlement_id account_id display_name description is_open outcome outcome_at is_emergency duration_seconds step_id step_kind step_due_at stuck_why deleted_at',
      reason: 'what is requested, and what became of it',
    },
    readByEarlier: {
      'records/grants': {
        columns: 'task_id number kind subject_user_id created_by app_id entitlement_id account_id display_name is_open',
        reason: 'the history of grants names the task that gave or ended them',
      },
      'governance/merging': { columns: 'subject_user_id is_open', reason: 'what merging two users would change' },
      'governance/policies': { columns: 'task_id source', reason: 'the policy of a task is in use' },
      'governance/profiles': {
        columns: 'kind subject_user_id app_id entitlement_id source is_open created_at',
        reason: 'requests to enroll that are open',
      },
    },
  },
  unanswerable: {
    room: 'governance/tasks',
    read: { columns: 'app_id entitlement_id problems', reason: 'what nobody can approve, on the home page' },
  },
  user_merges: { room: 'governance/merging' },
}
