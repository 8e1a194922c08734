import { route } from '#authority/route.ts'
import type { Route } from '#kernel/routes.ts'
import { described, flag, int32, listOf, message, nested, text } from '#kernel/wire.ts'
import { lookBeside } from './actions.ts'

const CountMessage = message(
  'bailiwick.v1.PeopleWithAccess',
  {
    value: described(text(), 'The department or the job title.'),
    people: described(int32(), 'How many other enabled people have it.'),
    holding: described(int32(), 'How many of them have the access.'),
    why: described(text(), 'Why they are not counted, as a sentence; empty if they are.'),
  },
  'How many people who are alike have the requested access. Without a permission to read everyone, only of groups of at least 5.',
)

const LedToMessage = message('bailiwick.v1.EntitlementLedTo', {
  appId: text(),
  id: text(),
  displayName: text(),
  appDisplayName: text(),
})

export const besideRoutes: Route[] = [
  route({
    id: 'bailiwick.v1.TaskContext.Get',
    at: 'GET /api/v1/tasks/{id}/context',
    summary:
      'Get what helps to decide a request: the work of the person, how many people like them have the access, its risk level, and what it leads to.',
    rule: 'own-tasks.read',
    reply: message('bailiwick.v1.TaskContextResponse', {
      taskId: text(),
      department: described(
        nested(CountMessage),
        'Only for people who decide the task now, and for callers who may read everyone; null otherwise.',
      ),
      jobTitle: described(nested(CountMessage), 'The same by job title.'),
      riskLevel: described(text(), 'The name of the risk level of the entitlement; empty without one.'),
      leadsTo: described(
        listOf(LedToMessage),
        'Other entitlements that its holders get: by what it is bound to, its provisioner, rules that read it, or the access profile.',
      ),
      hiddenCount: described(int32(), 'How many others there are that the caller does not see.'),
      hasMore: flag(),
      owns: described(
        listOf(message('bailiwick.v1.OwnedByHolders', { kind: text(), count: int32() })),
        'What its holders own, by kind.',
      ),
    }),
    async handle(call, { path }) {
      const { task, person, risk, leadsTo, owns } = await lookBeside(call, path.id)
      const [department, jobTitle] = (person?.counted ?? []).map(({ value, told, why }) => ({
        value,
        people: told?.people ?? 0,
        holding: told?.holding ?? 0,
        why,
      }))
      return {
        taskId: task.id,
        department: department ?? null,
        jobTitle: jobTitle ?? null,
        riskLevel: risk,
        leadsTo: leadsTo.list.map(({ appId, id, name, appName }) => ({
          appId,
          id,
          displayName: name,
          appDisplayName: appName,
        })),
        hiddenCount: leadsTo.hidden,
        hasMore: leadsTo.isMore,
        owns,
      }
    },
  }),
]
