import { Refusal } from '#kernel/refusals.ts'
import type { EntitlementRef, Form } from './form.ts'

export const formNotFound = (id: string): Refusal =>
  new Refusal('REQUEST_SCHEMA_NOT_FOUND', `There is no request schema ${id}.`, { metadata: { requestSchemaId: id } })

export const formInUse = ({ id, name }: Form, bound: readonly (EntitlementRef & { name: string })[]): Refusal =>
  new Refusal(
    'REQUEST_SCHEMA_IN_USE',
    `The request schema ${name} is bound to ${bound.map((each) => `the entitlement ${each.name} (${each.id})`).join(', ')}. ` +
      'Remove the binding there first.',
    { metadata: { requestSchemaId: id, usedBy: bound.map((each) => `${each.appId}/${each.id}`).join(',') } },
  )

export const bindingNotFound = ({ appId, id }: EntitlementRef): Refusal =>
  new Refusal('REQUEST_SCHEMA_BINDING_NOT_FOUND', `The entitlement ${id} has no such request schema.`, {
    metadata: { appId, appEntitlementId: id },
  })
