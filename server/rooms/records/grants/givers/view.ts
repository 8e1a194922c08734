import { described, int64, message, nested, text } from '#kernel/wire.ts'
import { giverKinds } from './giver.ts'

const GiverMessage = message(
  'bailiwick.v1.AccessGiver',
  {
    kind: described(text(), `${giverKinds.join(', ')}; empty if it is not known or you may not know it.`),
    id: text(),
    displayName: described(text(), 'For a removal of all access: its reason.'),
    numericId: described(int64(), 'For a request: its number.'),
    appId: described(text(), 'For a run: the app of the entitlement whose rule ran.'),
    appEntitlementId: text(),
    userId: described(text(), 'For a removal of all access: the person whose access was removed.'),
  },
  'Who or what granted access or ended it.',
)
export const giverField = (what: string) => described(nested(GiverMessage), what)
