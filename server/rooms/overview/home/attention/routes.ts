import { authenticated, type Route, route } from '#kernel/routes.ts'
import { described, flag, int32, listOf, message, oneOf, text } from '#kernel/wire.ts'
import { countedMax } from './found.ts'
import { listAttention, soonDays } from './gather.ts'
import { kinds, weights } from './kinds.ts'

const Example = message('bailiwick.v1.AttentionExample', {
  displayName: text(),
  about: described(text(), 'Where it is, whose it is, or what went wrong.'),
  path: described(text(), 'Its address in the console; empty where the caller cannot open it.'),
})

const Item = message('bailiwick.v1.AttentionItem', {
  kind: oneOf(kinds),
  weight: oneOf(weights),
  count: described(int32(), `At most ${countedMax}: see isMore.`),
  isMore: described(flag(), 'Whether there are more than were counted.'),
  path: described(text(), 'The address in the console where all of them are listed.'),
  examples: described(listOf(Example), 'The first few.'),
})

export const attentionRoutes: readonly Route[] = [
  route({
    id: 'bailiwick.v1.Home.ListAttention',
    at: 'GET /api/v1/home/attention',
    summary: `List what needs attention, of what the caller may see or owns, the weightiest first: what is held, failing, waiting, without an owner, or ends soon (credentials within ${soonDays.credentials} days, access within ${soonDays.access}).`,
    allow: authenticated,
    reply: message('bailiwick.v1.ListAttentionResponse', { list: listOf(Item) }),
    handle: async (call) => ({ list: await listAttention(call) }),
  }),
]
