import type { Tables } from './table.ts'

export const rules: Tables = {
  automation_exclusions: {
    room: 'rules/automation',
    read: { columns: 'app_id entitlement_id user_id', reason: 'what excludes a person who leaves' },
  },
  automation_names_shown: { room: 'rules/automation' },
  automation_reads: {
    room: 'rules/automation',
    read: { columns: '* app_id entitlement_id by_app_id by_entitlement_id', reason: 'which rules read an entitlement' },
  },
  automation_run_items: { room: 'rules/automation' },
  automation_runs: {
    room: 'rules/automation',
    read: {
      columns: 'run_id app_id entitlement_id version status gained lost started_at finished_at',
      reason: 'what runs did, on the home page and in comparisons',
    },
    readByEarlier: {
      'records/grants': {
        columns: 'run_id app_id entitlement_id',
        reason: 'the history of grants names the run that gave or ended them',
      },
    },
  },
  automation_versions: {
    room: 'rules/automation',
    read: {
      columns: 'app_id entitlement_id version expression display_name',
      reason: 'the names of causes in comparisons',
    },
  },
  automations: {
    room: 'rules/automation',
    read: {
      columns: 'app_id entitlement_id version expression display_name paused_why last_run_id updated_at deleted_at',
      reason: 'which rules there are and how they are, for approvals, leavers and home',
    },
    readByEarlier: {
      'records/apps': {
        columns: 'app_id entitlement_id kind deleted_at',
        reason: 'what leads to an entitlement by rules',
      },
      'records/grants': {
        columns: 'app_id entitlement_id kind refs display_name deleted_at',
        reason: 'the paths of access name the rule',
      },
    },
  },
  directory_conflicts: {
    room: 'rules/people',
    read: { columns: 'app_id account_id', reason: 'how many there are, on the home page' },
  },
  directory_plan_items: { room: 'rules/people' },
  directory_plans: { room: 'rules/people' },
}
