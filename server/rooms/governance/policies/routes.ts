import { route } from '#authority/route.ts'
import { updatable } from '#kernel/masks.ts'
import { nextPageToken } from '#kernel/pages.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, empty, flag, int32, list, listOf, message, nested, oneOf, required, text } from '#kernel/wire.ts'
import { PolicyRef } from '#rooms/records/apps/index.ts'
import { changePolicy, createPolicy, getPolicy, removePolicy } from './actions.ts'
import { changesOf, scopeOf, termsOf, typeOf, withoutEmpty } from './asked.ts'
import { testAccountField, validateExpression } from './conditions.ts'
import { PolicyMessage, ScopeMessage, termShapes, wireTypes } from './shapes.ts'
import { isPolicyType, listPolicies, searchPolicies } from './store.ts'
import { policyOnWire } from './view.ts'

const idsMax = 1000
const queryLength = 1000
const policyReply = (name: string) => message(name, { policy: nested(PolicyMessage) })
/** Lines and columns from 1, as in editors; the end is the column after the last. */
const MarkerMessage = message('editor.v1.EditorMarker', {
  startLineNumber: int32(),
  startColumn: int32(),
  endLineNumber: int32(),
  endColumn: int32(),
  message: text(),
  severity: oneOf(['UNKNOWN', 'HINT', 'INFO', 'WARNING', 'ERROR']),
})
const listReply = (name: string) => message(name, { list: listOf(PolicyMessage), nextPageToken })

export const policyRoutes: Route[] = [
  route({
    id: 'policy.v1.Policies.List',
    at: 'GET /api/v1/policies',
    summary: 'List the policies that any app can use, in order of their ids.',
    rule: 'policies.read',
    paged: true,
    reply: listReply('policy.v1.ListPolicyResponse'),
    async handle(call, { page }) {
      return page.cut(await listPolicies(call.db, call.tenant.id, page), ({ id }) => [id], policyOnWire)
    },
  }),
  route({
    id: 'policy.v1.Policies.Create',
    at: 'POST /api/v1/policies',
    summary: 'Create a policy.',
    rule: 'policies.change',
    body: message('policy.v1.CreatePolicyRequest', {
      policyType: required(oneOf(wireTypes)),
      ...termShapes,
      displayName: required(termShapes.displayName),
      scope: nested(ScopeMessage),
    }),
    reply: policyReply('policy.v1.CreatePolicyResponse'),
    async handle(call, { body }) {
      const terms = termsOf(body)
      const annotations = withoutEmpty(terms.annotations)
      const wanted = { ...terms, annotations, policyType: typeOf(body.policyType), scope: scopeOf(body.scope) }
      return { policy: policyOnWire(await transact(call.db, (tx) => createPolicy(tx, call, wanted))) }
    },
  }),
  route({
    id: 'policy.v1.PolicyValidate.ValidateCEL',
    at: 'POST /api/v1/policies/validate/cel',
    summary:
      'Check an expression of a policy: its errors and their positions. Without markers, it is a valid condition or approver expression.',
    rule: 'policies.read',
    body: message('policy.v1.EditorValidateRequest', { text: text() }),
    reply: message('policy.v1.EditorValidateResponse', { markers: listOf(MarkerMessage) }),
    async handle(call, { body }) {
      const markers = await validateExpression(call, body.text)
      return { markers: markers.map((marker) => ({ ...marker, severity: 'ERROR' as const })) }
    },
  }),
  route({
    id: 'policy.v1.AccountProvisionPolicyTest.Test',
    at: 'POST /api/v1/policies/test-account-provision-policy',
    summary:
      'Evaluate an expression for a field of an account, such as subject.email, about your own user. Lists and maps are returned as JSON.',
    rule: 'policies.read',
    body: message('policy.v1.TestAccountProvisionPolicyRequest', { cel: text({ maxLength: 10_000 }) }),
    reply: message('policy.v1.TestAccountProvisionPolicyResponse', {
      type: described(text(), 'string, bool, int, double, list, map or null.'),
      value: text(),
    }),
    handle: (call, { body }) => testAccountField(call, body.cel),
  }),
  route({
    id: 'policy.v1.Policies.Get',
    at: 'GET /api/v1/policies/{id}',
    summary: 'Get a policy.',
    rule: 'policies.read',
    reply: policyReply('policy.v1.GetPolicyResponse'),
    handle: async (call, { path }) => ({ policy: policyOnWire(await getPolicy(call.db, call, path.id)) }),
  }),
  route({
    id: 'policy.v1.Policies.Update',
    at: 'POST /api/v1/policies/{id}',
    summary: 'Change a policy. Existing tasks keep their steps.',
    rule: 'policies.change',
    body: message('policy.v1.UpdatePolicyRequestInput', {
      policy: required(updatable(PolicyMessage)),
      updateMask: text(),
    }),
    reply: policyReply('policy.v1.UpdatePolicyResponse'),
    async handle(call, { path, body }) {
      const asked = body.policy
      const changed = await transact(call.db, async (tx) => {
        const before = await getPolicy(tx, call, path.id)
        return changePolicy(tx, call, path.id, changesOf(before, asked, body.updateMask))
      })
      return { policy: policyOnWire(changed) }
    },
  }),
  route({
    id: 'policy.v1.Policies.Delete',
    at: 'DELETE /api/v1/policies/{id}',
    summary: 'Delete a policy that nothing uses.',
    rule: 'policies.change',
    body: message('policy.v1.DeletePolicyRequestInput', {}),
    reply: empty,
    async handle(call, { path }) {
      await transact(call.db, (tx) => removePolicy(tx, call, path.id))
      return {}
    },
  }),
  route({
    id: 'policy.v1.PolicySearch.Search',
    at: 'POST /api/v1/search/policies',
    summary: 'Search policies by name, type, id and scope; exact matches of the name come first.',
    rule: 'policies.read',
    paged: true,
    body: message('policy.v1.SearchPoliciesRequest', {
      displayName: text({ maxLength: queryLength }),
      query: text({ maxLength: queryLength }),
      policyTypes: list(oneOf(wireTypes), wireTypes.length),
      refs: listOf(PolicyRef, idsMax),
      excludePolicyIds: list(text(), idsMax),
      includeDeleted: flag(),
      scopeView: oneOf([
        'POLICY_SCOPE_VIEW_UNSPECIFIED',
        'POLICY_SCOPE_VIEW_GLOBAL',
        'POLICY_SCOPE_VIEW_SCOPED',
        'POLICY_SCOPE_VIEW_ALL',
        'POLICY_SCOPE_VIEW_GLOBAL_AND_OBJECT',
      ]),
      scopeAppId: text(),
      scopeAppEntitlementId: text(),
      scopeObjectType: oneOf([
        'POLICY_SCOPE_OBJECT_TYPE_UNSPECIFIED',
        'POLICY_SCOPE_OBJECT_TYPE_APP',
        'POLICY_SCOPE_OBJECT_TYPE_ENTITLEMENT',
      ]),
      scopeSlot: oneOf(['POLICY_SCOPE_SLOT_UNSPECIFIED', 'POLICY_SCOPE_SLOT_EMERGENCY']),
    }),
    reply: listReply('policy.v1.SearchPoliciesResponse'),
    async handle(call, { body, page }) {
      const types = body.policyTypes.filter((type) => type !== 'POLICY_TYPE_UNSPECIFIED')
      // There are no policies of the other published types, so a search for them finds none.
      if (types.length > 0 && !types.some(isPolicyType)) return { list: [] }
      const views = {
        POLICY_SCOPE_VIEW_SCOPED: 'scoped',
        POLICY_SCOPE_VIEW_ALL: 'all',
        POLICY_SCOPE_VIEW_GLOBAL_AND_OBJECT: 'object',
      } as const
      // Every scope has the only slot that exists, so scopeSlot finds all of them.
      const objects = {
        POLICY_SCOPE_OBJECT_TYPE_UNSPECIFIED: 'any',
        POLICY_SCOPE_OBJECT_TYPE_APP: 'app',
        POLICY_SCOPE_OBJECT_TYPE_ENTITLEMENT: 'entitlement',
      } as const
      const filter = {
        displayName: body.displayName.trim(),
        query: body.query.trim(),
        policyTypes: types.filter(isPolicyType),
        ids: body.refs.map(({ id }) => id),
        excludePolicyIds: body.excludePolicyIds,
        includeDeleted: body.includeDeleted,
        scope: {
          view: views[body.scopeView as keyof typeof views] ?? 'global',
          appId: body.scopeAppId,
          appEntitlementId: body.scopeAppEntitlementId,
          of: objects[body.scopeObjectType],
        },
      } as const
      const rows = await searchPolicies(call.db, call.tenant.id, filter, page)
      return page.cut(rows, ({ rank, id }) => [rank, id], policyOnWire)
    },
  }),
]
