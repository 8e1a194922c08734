import { route } from '#authority/route.ts'
import type { Call, Input, Route } from '#kernel/routes.ts'
import { described, listOf, message, oneOf, required, text } from '#kernel/wire.ts'
import { list as listChanges, scopeOfApp, scopeOfEntitlement, scopeOfUser, spanOf, summarize } from './actions.ts'
import { nameCauses } from './causes.ts'
import { type ChangeKind, changeKinds, type Scope, type Subject, subjects } from './change.ts'
import { heatRoutes } from './heat/routes.ts'
import {
  ChangeCause,
  causeNames,
  changeList,
  changeSummary,
  kindNames,
  kindOnWire,
  spanFields,
  subjectNames,
  subjectOnWire,
} from './view.ts'

const Span = message('bailiwick.v1.SummarizeChangesQuery', spanFields)
const Asked = message('bailiwick.v1.ListChangesQuery', {
  ...spanFields,
  subject: described(oneOf(subjectNames), 'What to list; grants by default.'),
  kind: described(oneOf(kindNames), 'Only changes of this kind; all kinds by default.'),
})
type ListInput = Input<string, typeof Asked.fields, {}>

const subjectOf = (name: (typeof subjectNames)[number]): Subject =>
  subjects.find((each) => subjectOnWire(each) === name) ?? 'grant'
const kindsOf = (name: (typeof kindNames)[number]): readonly ChangeKind[] => {
  const kind = changeKinds.find((each) => kindOnWire(each) === name)
  return kind ? [kind] : changeKinds
}

const listIn = (call: Call, scope: Scope, { query, page }: Pick<ListInput, 'query' | 'page'>) =>
  listChanges(call, scope, spanOf(call, query), { subject: subjectOf(query.subject), kinds: kindsOf(query.kind) }, page)

const tenant: Scope = { kind: 'tenant' }
const causesMax = 100

export const changeRoutes: readonly Route[] = [
  route({
    id: 'bailiwick.v1.Changes.Summarize',
    isHeavy: true,
    at: 'GET /api/v1/changes/summary',
    summary: 'Count what changed between two moments: grants, users, apps, accounts, entitlements, owners and rules.',
    rule: 'changes.list',
    query: Span,
    reply: changeSummary('bailiwick.v1.SummarizeChangesResponse'),
    handle: (call, { query }) => summarize(call, tenant, spanOf(call, query)),
  }),
  route({
    id: 'bailiwick.v1.Changes.List',
    isHeavy: true,
    at: 'GET /api/v1/changes',
    summary: 'List what changed between two moments, with the cause of each change, latest first.',
    rule: 'changes.list',
    paged: true,
    query: Asked,
    reply: changeList('bailiwick.v1.ListChangesResponse'),
    handle: (call, input) => listIn(call, tenant, input),
  }),
  route({
    id: 'bailiwick.v1.Changes.SummarizeOfUser',
    isHeavy: true,
    at: 'GET /api/v1/users/{user_id}/changes/summary',
    summary:
      "Count what changed in a user's access and accounts between two moments: your own, or those of anyone with grants.read.",
    rule: 'user.list-changes',
    query: Span,
    reply: changeSummary('bailiwick.v1.SummarizeChangesOfUserResponse'),
    handle: async (call, { path, query }) =>
      summarize(call, await scopeOfUser(call, path.user_id), spanOf(call, query)),
  }),
  route({
    id: 'bailiwick.v1.Changes.ListOfUser',
    isHeavy: true,
    at: 'GET /api/v1/users/{user_id}/changes',
    summary:
      "List what changed in a user's access and accounts between two moments: your own, or those of anyone with grants.read.",
    rule: 'user.list-changes',
    paged: true,
    query: Asked,
    reply: changeList('bailiwick.v1.ListChangesOfUserResponse'),
    handle: async (call, input) => listIn(call, await scopeOfUser(call, input.path.user_id), input),
  }),
  route({
    id: 'bailiwick.v1.Changes.SummarizeOfApp',
    isHeavy: true,
    at: 'GET /api/v1/apps/{app_id}/changes/summary',
    summary: 'Count what changed in an app between two moments.',
    rule: 'app.list-changes',
    about: { app: 'app_id' },
    query: Span,
    reply: changeSummary('bailiwick.v1.SummarizeChangesOfAppResponse'),
    handle: async (call, { path, query }) => summarize(call, await scopeOfApp(call, path.app_id), spanOf(call, query)),
  }),
  route({
    id: 'bailiwick.v1.Changes.ListOfApp',
    isHeavy: true,
    at: 'GET /api/v1/apps/{app_id}/changes',
    summary: 'List what changed in an app between two moments.',
    rule: 'app.list-changes',
    about: { app: 'app_id' },
    paged: true,
    query: Asked,
    reply: changeList('bailiwick.v1.ListChangesOfAppResponse'),
    handle: async (call, input) => listIn(call, await scopeOfApp(call, input.path.app_id), input),
  }),
  route({
    id: 'bailiwick.v1.Changes.SummarizeOfEntitlement',
    isHeavy: true,
    at: 'GET /api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/changes/summary',
    summary: 'Count what changed of an entitlement between two moments: its members, owners and rule.',
    rule: 'entitlement.list-changes',
    about: { app: 'app_id', entitlement: 'app_entitlement_id' },
    query: Span,
    reply: changeSummary('bailiwick.v1.SummarizeChangesOfEntitlementResponse'),
    handle: async (call, { path, query }) =>
      summarize(call, await scopeOfEntitlement(call, path.app_id, path.app_entitlement_id), spanOf(call, query)),
  }),
  route({
    id: 'bailiwick.v1.Changes.ListOfEntitlement',
    isHeavy: true,
    at: 'GET /api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/changes',
    summary: 'List what changed of an entitlement between two moments: its members, owners or rule.',
    rule: 'entitlement.list-changes',
    about: { app: 'app_id', entitlement: 'app_entitlement_id' },
    paged: true,
    query: Asked,
    reply: changeList('bailiwick.v1.ListChangesOfEntitlementResponse'),
    handle: async (call, input) =>
      listIn(call, await scopeOfEntitlement(call, input.path.app_id, input.path.app_entitlement_id), input),
  }),
  route({
    id: 'bailiwick.v1.Changes.DescribeSources',
    at: 'POST /api/v1/changes/sources/search',
    summary:
      'Get the display names of sources of grants: imports, rules, requests, access profiles and directories, including deleted ones.',
    rule: 'changes.list',
    body: message('bailiwick.v1.DescribeSourcesRequest', {
      refs: required(
        listOf(
          message('bailiwick.v1.GrantSourceRef', {
            kind: oneOf(causeNames),
            id: text({ maxLength: 64 }),
            appId: text({ maxLength: 64 }),
          }),
          causesMax,
        ),
        'must name at least one source',
      ),
    }),
    reply: message('bailiwick.v1.DescribeSourcesResponse', { list: listOf(ChangeCause) }),
    async handle(call, { body }) {
      const causes = body.refs.map(({ id, appId }) => ({ kind: 'unspecified' as const, id, appId, entitlementId: '' }))
      return { list: (await nameCauses(call, causes)).flatMap((each) => (each ? [each] : [])) }
    },
  }),
  ...heatRoutes,
]
