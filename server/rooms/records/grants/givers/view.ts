import { described, int64, message, nested, text } from '#kernel/wire.ts'
import { giverKinds } from './giver.ts'

const GiverMessage = message(
  'bailiwick.v1.AccessGiver',
  {
    kind: described(text(), `${giverKinds.join(', ')}; empty if it is not known or you may not know it.`),
    id: text(),
    displayName: described(text(), 'Of a removal of all access: its reason.'),
    numericId: described(int64(), 'Of a request: its number.'),
    appId: described(text(), 'Of a run: the app of the entitlement whose rule ran.'),
    appEntitlementId: text(),
    userId: described(text(), 'Of a removal of all access: whose access it was.'),
  },
  'Who or what granted access or ended it.',
)
export const giverField = (what: string) => described(nested(GiverMessage), what)
