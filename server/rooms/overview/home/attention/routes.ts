import { route } from '#authority/route.ts'
import type { Route } from '#kernel/routes.ts'
import { described, flag, int32, listOf, message, oneOf, text } from '#kernel/wire.ts'
import { countedMax, exampleTypes } from './findings.ts'
import { listAttention, soonDays } from './gather.ts'
import { kinds, weights } from './kinds.ts'

const Example = message('bailiwick.v1.AttentionExample', {
  displayName: text(),
  about: described(text(), 'Its app, its user, or its error.'),
  type: described(text(), `What it is: one of ${exampleTypes.join(', ')}.`),
  id: described(text(), 'Empty if the caller cannot open it.'),
  appId: described(text(), 'The app that it belongs to, if it belongs to one.'),
})

const Item = message('bailiwick.v1.AttentionItem', {
  kind: oneOf(kinds),
  weight: oneOf(weights),
  count: described(int32(), `At most ${countedMax}: see isMore.`),
  isMore: described(flag(), 'Whether there are more than were counted.'),
  examples: described(listOf(Example), 'The first few.'),
})

export const attentionRoutes: readonly Route[] = [
  route({
    id: 'bailiwick.v1.Home.ListAttention',
    at: 'GET /api/v1/home/attention',
    summary: `List what needs attention among the objects that the caller may see or owns, most important first: what is held, failing, waiting, without an owner, or ends soon (credentials within ${soonDays.credentials} days, access within ${soonDays.access}).`,
    rule: 'self.introspect',
    reply: message('bailiwick.v1.ListAttentionResponse', { list: listOf(Item) }),
    handle: async (call) => ({ list: await listAttention(call) }),
  }),
]
