import type { AttentionItem, AttentionKind } from '../client/attention.ts'
import { countWords } from '../client/attention.ts'

type Words = {
  /** After the number: of one, and of several. */
  one: string
  many: string
  /** What it means, in a sentence. */
  about: string
  /** The label of the button that opens it. */
  remedy: string
}

const words: Readonly<Record<AttentionKind, Words>> = {
  ATTENTION_KIND_UNSPECIFIED: { one: 'item', many: 'items', about: '', remedy: 'Review' },
  ATTENTION_KIND_DECISIONS_WAITING: {
    one: 'task waits for your decision',
    many: 'tasks wait for your decision',
    about: '',
    remedy: 'Decide',
  },
  ATTENTION_KIND_RUNS_HELD: {
    one: 'rule run is held',
    many: 'rule runs are held',
    about: 'They would change the access of many people. Release or cancel them.',
    remedy: 'Review runs',
  },
  ATTENTION_KIND_SYNCS_HELD: {
    one: 'connector sync is held',
    many: 'connector syncs are held',
    about: 'They would remove a large part of an app. Confirm or cancel them.',
    remedy: 'Review syncs',
  },
  ATTENTION_KIND_DIRECTORIES_HELD: {
    one: 'directory has held deactivations',
    many: 'directories have held deactivations',
    about: 'A directory deactivated many people at once. Confirm or reject it.',
    remedy: 'Review directories',
  },
  ATTENTION_KIND_LEAVERS_WITH_ACCESS: {
    one: 'person left and still has access',
    many: 'people left and still have access',
    about: 'They are disabled or deleted, but their accounts still have entitlements.',
    remedy: 'Review access',
  },
  ATTENTION_KIND_RULES_FAILING: {
    one: 'rule fails',
    many: 'rules fail',
    about: 'The last run failed, so grants may be out of date.',
    remedy: 'Review rules',
  },
  ATTENTION_KIND_SYNCS_FAILING: {
    one: 'connector does not sync',
    many: 'connectors do not sync',
    about: 'The last sync failed, so the records of the app are out of date.',
    remedy: 'Review connectors',
  },
  ATTENTION_KIND_DIRECTORIES_FAILING: {
    one: 'directory fails',
    many: 'directories fail',
    about: 'Their changes of users could not be applied.',
    remedy: 'Review directories',
  },
  ATTENTION_KIND_TASKS_STUCK: {
    one: 'task is stuck',
    many: 'tasks are stuck',
    about: 'Nobody can decide them. Reassign them, or correct the policy.',
    remedy: 'Review tasks',
  },
  ATTENTION_KIND_JOBS_STUCK: {
    one: 'job is stuck',
    many: 'jobs are stuck',
    about: 'They failed too often. Retry or drop them.',
    remedy: 'Review jobs',
  },
  ATTENTION_KIND_EXPORTS_FAILING: {
    one: 'export of the system log fails',
    many: 'exports of the system log fail',
    about: 'Events are kept here until they can be exported.',
    remedy: 'Review exports',
  },
  ATTENTION_KIND_SUBSCRIPTIONS_FAILING: {
    one: 'subscription fails',
    many: 'subscriptions fail',
    about: 'The receiver gets no events.',
    remedy: 'Review subscriptions',
  },
  ATTENTION_KIND_WEBHOOKS_FAILING: {
    one: 'webhook fails',
    many: 'webhooks fail',
    about: 'The last delivery failed; requests that depend on it wait.',
    remedy: 'Review webhooks',
  },
  ATTENTION_KIND_NOTIFICATIONS_NOT_SENT: {
    one: 'notification was not sent',
    many: 'notifications were not sent',
    about: 'The mail server or the chat refused them.',
    remedy: 'Review notifications',
  },
  ATTENTION_KIND_CONNECTOR_CREDENTIALS_EXPIRING: {
    one: 'connector credential expires within 14 days',
    many: 'connector credentials expire within 14 days',
    about: 'Rotate them before the connectors stop.',
    remedy: 'Review connectors',
  },
  ATTENTION_KIND_DIRECTORY_TOKENS_EXPIRING: {
    one: 'directory token expires within 14 days',
    many: 'directory tokens expire within 14 days',
    about: 'Rotate them before the directories stop.',
    remedy: 'Review directories',
  },
  ATTENTION_KIND_CREDENTIALS_EXPIRING: {
    one: 'API credential expires within 14 days',
    many: 'API credentials expire within 14 days',
    about: 'Create new ones before the programs that use them stop.',
    remedy: 'Review credentials',
  },
  ATTENTION_KIND_CHANGES_WAITING: {
    one: 'change waits for a second person',
    many: 'changes wait for a second person',
    about: 'Changes of rules, policies, owners or roles that need approval.',
    remedy: 'Review changes',
  },
  ATTENTION_KIND_REQUESTS_WAITING: {
    one: 'request has waited for more than a week',
    many: 'requests have waited for more than a week',
    about: 'Nobody has approved or denied them.',
    remedy: 'Review requests',
  },
  ATTENTION_KIND_ENTITLEMENTS_WITHOUT_APPROVER: {
    one: 'entitlement without an approver',
    many: 'entitlements without an approver',
    about: 'They can be requested, but nobody can decide the request.',
    remedy: 'Review entitlements',
  },
  ATTENTION_KIND_DRIFT: {
    one: 'difference',
    many: 'differences',
    about: 'Access in apps differs from the grants.',
    remedy: 'Review drift',
  },
  ATTENTION_KIND_ACCOUNTS_WITHOUT_OWNER: {
    one: 'account has no user or owner',
    many: 'accounts have no user or owner',
    about: 'They are not matched to a person and have no owner.',
    remedy: 'Review accounts',
  },
  ATTENTION_KIND_DIRECTORY_CONFLICTS: {
    one: 'directory account is not matched',
    many: 'directory accounts are not matched',
    about: 'Several people match, or none. Decide which user they belong to.',
    remedy: 'Review directories',
  },
  ATTENTION_KIND_RULES_PAUSED: {
    one: 'rule is paused',
    many: 'rules are paused',
    about: 'They do not grant or revoke access until they run again.',
    remedy: 'Review rules',
  },
  ATTENTION_KIND_CLOCK_NOT_TRUSTED: {
    one: '',
    many: '',
    about: 'Access that ends at a time, and steps of tasks that wait for a time, may end some minutes later.',
    remedy: 'Access that ends',
  },
  ATTENTION_KIND_MAIL_NOT_CONFIGURED: {
    one: '',
    many: '',
    about: 'No mail server is configured. Nobody is notified by email about approvals or access that ends.',
    remedy: 'Set up email',
  },
  ATTENTION_KIND_APPS_RECORDS_ONLY: {
    one: 'app is records only',
    many: 'apps are records only',
    about:
      'Nobody is asked to change them: grants and revocations are only recorded. Connect them, or have people asked.',
    remedy: 'Review apps',
  },
  ATTENTION_KIND_APPS_WITHOUT_OWNER: {
    one: 'app has no owner',
    many: 'apps have no owner',
    about: 'Owners decide requests and are responsible for access.',
    remedy: 'Review apps',
  },
  ATTENTION_KIND_ENTITLEMENTS_WITHOUT_OWNER: {
    one: 'entitlement has no owner',
    many: 'entitlements have no owner',
    about: 'Neither they nor their apps have owners: nobody is responsible for who has them.',
    remedy: 'Review entitlements',
  },
  ATTENTION_KIND_ACCESS_ENDING: {
    one: 'grant expires within 30 days',
    many: 'grants expire within 30 days',
    about: 'People lose this access unless it is extended.',
    remedy: 'Review grants',
  },
}

export const attentionWords = (kind: AttentionKind): Words => words[kind]

/** “3 rules fail”. */
export function attentionTitle({ kind, count, isMore }: AttentionItem): string {
  if (kind === 'ATTENTION_KIND_MAIL_NOT_CONFIGURED') return 'No email is sent'
  if (kind === 'ATTENTION_KIND_CLOCK_NOT_TRUSTED') return 'The clock of the server is not trusted'
  const { one, many } = words[kind]
  const noun = count === 1 ? one : many
  return `${countWords({ count, isMore })} ${noun}`
}
