import type { MessageOf } from '#kernel/wire.ts'
import type { Policy } from './policy.ts'
import type { PolicyMessage } from './shapes.ts'

type OnWire = MessageOf<(typeof PolicyMessage)['fields']>

export const policyOnWire = ({ rules, remediatesImmediately, builtIn, ...policy }: Policy): OnWire => ({
  ...policy,
  rules: rules.map((rule) => ({ ...rule, policyKey: rule.stepKey })),
  postActions: remediatesImmediately === null ? [] : [{ certifyRemediateImmediately: remediatesImmediately }],
  reassignTasksToDelegates: false,
  systemBuiltin: builtIn !== null,
})
