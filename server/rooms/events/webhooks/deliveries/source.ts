/** What a delivery is for. */
export type Source = 'test' | 'approval' | 'provision'

/** As published. */
export const events = {
  test: 'c1.webhooks.v1.PayloadTest',
  approval: 'c1.webhooks.v1.PayloadPolicyApprovalStep',
  provision: 'c1.webhooks.v1.PayloadProvisionStep',
} as const satisfies Record<Source, string>
