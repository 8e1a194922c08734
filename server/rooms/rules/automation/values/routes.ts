import { mayEverywhere } from '#authority/may.ts'
import { route } from '#authority/route.ts'
import { seesEveryone } from '#authority/sight/index.ts'
import type { Call } from '#kernel/routes.ts'
import { described, int32, listOf, message, text } from '#kernel/wire.ts'
import { listFieldValues, type Value, valueFields } from '#rooms/identity/users/index.ts'
import { refuseUnknownEntitlement } from '../rule/actions.ts'
import { ofRule, refOf, ruleAt } from '../view.ts'
import { listAppValues, listEntitlementValues, listProfileKeys, listProfileValues } from './store.ts'

const limit = 50
// As for counts: values that fewer than five people have in common are not shown to callers who may not see these people.
const leastUnseen = 5

/** The values in the data, as far as the caller may know them; nothing else is offered. */
async function valuesOf(call: Call, field: string, appId: string, asked: string): Promise<Value[]> {
  const { db, tenant, actor } = call
  const isAll = seesEveryone(actor)
  const query = asked.trim().toLowerCase()
  const wanted = { query, least: isAll ? 1 : leastUnseen, limit }
  const known = valueFields.find((each) => each === field)
  if (known) return listFieldValues(db, tenant.id, known, { ...wanted, isEnabledOnly: true })
  if (field === 'app') return mayEverywhere(actor, 'apps.read') ? listAppValues(db, tenant.id, wanted) : []
  if (field === 'entitlement')
    return mayEverywhere(actor, 'entitlements.read') ? listEntitlementValues(db, tenant.id, appId, wanted) : []
  if (!isAll) return []
  if (field === 'profile') return listProfileKeys(db, tenant.id, wanted)
  if (field.startsWith('profile.')) return listProfileValues(db, tenant.id, field.slice('profile.'.length), wanted)
  return []
}

const ValueMessage = message('app.v1.AutomationValue', {
  value: described(text(), 'As it is written in an expression.'),
  label: described(text(), 'The display name, such as the name of an app.'),
  count: described(int32(), 'How many people have it; 0 if that is not counted.'),
})

export const valueRoutes = [
  route({
    id: 'app.v1.AppEntitlements.ListAutomationValues',
    at: `GET ${ruleAt}/values`,
    summary: 'List values from the data that an expression can compare with, for completion in an editor.',
    rule: 'entitlement.read-rule',
    about: ofRule,
    query: message('', {
      field: described(
        text({ maxLength: 200 }),
        'department, jobTitle, employmentType, employmentStatus, profile (its keys), profile.KEY, app or entitlement. Other fields have no values.',
      ),
      appId: described(text({ maxLength: 64 }), 'The app, for entitlements.'),
      query: described(text({ maxLength: 200 }), 'Text that the value or its name contains.'),
    }),
    reply: message('app.v1.ListAutomationValuesResponse', {
      list: described(listOf(ValueMessage), 'At most 50, most frequent first, or by name.'),
    }),
    async handle(call, { path, query }) {
      await refuseUnknownEntitlement(call, refOf(path))
      return { list: await valuesOf(call, query.field, query.appId, query.query) }
    },
  }),
]
