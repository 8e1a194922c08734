import { Refusal } from '#kernel/refusals.ts'
import type { EntitlementRef, Form } from './form.ts'
import type { FormUse } from './store.ts'

export const formNotFound = (id: string): Refusal =>
  new Refusal('REQUEST_SCHEMA_NOT_FOUND', `There is no request schema ${id}.`, { metadata: { requestSchemaId: id } })

export const formInUse = ({ id, name }: Form, uses: readonly FormUse[]): Refusal =>
  new Refusal(
    'REQUEST_SCHEMA_IN_USE',
    `The request schema ${name} is used by ${uses.map((each) => `the ${each.type} ${each.name} (${each.id})`).join(', ')}. ` +
      'Remove it there first.',
    { metadata: { requestSchemaId: id, usedBy: uses.map((each) => `${each.appId}/${each.id}`).join(',') } },
  )

export const bindingNotFound = ({ appId, id }: EntitlementRef): Refusal =>
  new Refusal('REQUEST_SCHEMA_BINDING_NOT_FOUND', `The entitlement ${id} has no such request schema.`, {
    metadata: { appId, appEntitlementId: id },
  })
