import { route } from '#authority/route.ts'
import { fieldsToChange, updatableBody } from '#kernel/masks.ts'
import { invalid } from '#kernel/refusals.ts'

import { transact } from '#kernel/sql.ts'
import { empty, type MessageOf, message, nested, text } from '#kernel/wire.ts'
import { type Definition, type EntitlementRef, holdersOfAny } from '../automation.ts'
import { refuseUnknownEntitlement } from '../rule/actions.ts'
import {
  AutomationMessage,
  definitionFields,
  examplesField,
  examplesIn,
  ofRule,
  reasonField,
  refOf,
  ruleAt,
  viewAutomation,
} from '../view.ts'
import { changeAutomation, createAutomation, removeAutomation, type Terms } from './actions.ts'
import { tryDefinition } from './check.ts'

type Sent = MessageOf<typeof definitionFields>
const kinds = Object.keys(definitionFields) as (keyof Sent)[]

/** The one of the four definitions that is set for the rule of `ref`; refused if none is, or several are. */
export function definitionIn(sent: Sent, prefix: string, ref: EntitlementRef): Definition {
  const said = kinds.filter((kind) => sent[kind] !== null)
  if (said.length !== 1)
    throw invalid({
      field: `${prefix}${said[1] ?? 'none'}`,
      description: `exactly one of ${kinds.join(', ')} must be set${said.length > 1 ? `, and ${said.join(', ')} are` : ''}`,
    })
  if (sent.basic) return { kind: 'basic', expression: sent.basic.expression }
  if (sent.cel) return { kind: 'cel', expression: sent.cel.expression }
  if (!sent.entitlements) return { kind: 'none' }
  const refs = new Map(sent.entitlements.entitlementRefs.map(({ appId, id }) => [`${appId}/${id}`, { appId, id }]))
  if (refs.size === 0)
    throw invalid({ field: `${prefix}entitlements.entitlementRefs`, description: 'must name at least one entitlement' })
  return holdersOfAny(ref, [...refs.values()])
}

/** A rule as it is proposed in a body. */
export const termsIn = (
  sent: MessageOf<typeof AutomationMessage.fields>,
  prefix: string,
  ref: EntitlementRef,
): Terms => ({
  displayName: sent.displayName.trim(),
  description: sent.description,
  definition: definitionIn(sent, prefix, ref),
  ...(sent.examples && { examples: examplesIn(sent.examples) }),
})

const UpdateBody = updatableBody(
  message('app.v1.UpdateAutomationRequestInput', {
    displayName: text({ maxLength: 200 }),
    description: text({ maxLength: 4000 }),
    ...definitionFields,
    examples: examplesField,
    reason: reasonField(),
    updateMask: text(),
  }),
)

/** `cel.expression` changes `cel` as a whole. */
const firstNames = (updateMask: string): string =>
  updateMask
    .split(',')
    .map((path) => path.trim().split('.')[0])
    .join(',')

export const savingRoutes = [
  route({
    id: 'app.v1.AppEntitlements.CreateAutomation',
    at: `POST ${ruleAt}/create`,
    summary: 'Create the automation rule of an entitlement. It runs immediately.',
    rule: 'entitlement.change-rule',
    about: ofRule,
    body: message('app.v1.CreateAutomationRequestInput', {
      automation: nested(AutomationMessage),
      reason: reasonField(),
    }),
    reply: message('app.v1.CreateAutomationResponse', { automation: nested(AutomationMessage) }),
    async handle(call, { path, body }) {
      const sent = body.automation ?? AutomationMessage.read({}, '', [])
      const wanted = termsIn(sent, 'automation.', refOf(path))
      await refuseUnknownEntitlement(call, refOf(path))
      await tryDefinition(call, wanted.definition, 'automation.')
      const made = await transact(call.db, (tx) =>
        createAutomation(tx, call, refOf(path), wanted, { reason: body.reason }),
      )
      return { automation: viewAutomation(made) }
    },
  }),
  route({
    id: 'app.v1.AppEntitlements.UpdateAutomation',
    at: `POST ${ruleAt}/update`,
    summary: 'Change the automation rule of an entitlement. It runs immediately.',
    rule: 'entitlement.change-rule',
    about: ofRule,
    body: UpdateBody,
    reply: message('app.v1.UpdateAutomationResponse', { AppEntitlementAutomation: nested(AutomationMessage) }),
    async handle(call, { path, body }) {
      const named = fieldsToChange(body, body.updateMask === '' ? '' : firstNames(body.updateMask), [
        'displayName',
        'description',
        'examples',
        ...kinds,
      ])
      const changes: Partial<Terms> = {
        ...(named.has('displayName') && { displayName: body.displayName.trim() }),
        ...(named.has('description') && { description: body.description }),
        ...(named.has('examples') && { examples: body.examples ? examplesIn(body.examples) : [] }),
        ...(kinds.some((kind) => named.has(kind)) && { definition: definitionIn(body, '', refOf(path)) }),
      }
      if (changes.definition) {
        await refuseUnknownEntitlement(call, refOf(path))
        await tryDefinition(call, changes.definition, '')
      }
      const changed = await transact(call.db, (tx) =>
        changeAutomation(tx, call, refOf(path), changes, { reason: body.reason }),
      )
      return { AppEntitlementAutomation: viewAutomation(changed) }
    },
  }),
  route({
    id: 'app.v1.AppEntitlements.DeleteAutomation',
    at: `DELETE ${ruleAt}`,
    summary: 'Delete the automation rule of an entitlement. Its exclusions and grants are kept.',
    rule: 'entitlement.change-rule',
    about: ofRule,
    body: message('app.v1.DeleteAutomationRequestInput', { reason: reasonField() }),
    reply: empty,
    async handle(call, { path, body }) {
      await transact(call.db, (tx) => removeAutomation(tx, call, refOf(path), body.reason))
      return {}
    },
  }),
]
