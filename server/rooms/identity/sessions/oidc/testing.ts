import type { May } from '#authority/proof.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { causeOf, change, record } from '#rooms/foundation/systemlog/index.ts'
import type { AtProvider } from '../linked-identities/actions.ts'
import type { Person } from '../person.ts'
import { type ProviderRow, updateTest } from '../providers/store.ts'
import { touchedProvider } from '../providers/touched.ts'
import type { Flow } from './flow.ts'
import type { Refused } from './refused.ts'

/** Records that someone tries a provider out: they are shown who would be signed in. */
export async function recordTest(call: May<'sign-in-providers.change'>, row: ProviderRow): Promise<void> {
  const cause = causeOf(call)
  const message = `Started a test of the OpenID Connect provider ${row.displayName}`
  await transact(call.db, (tx) => record(tx, call, cause, change(cause, 'update', message, [touchedProvider(row)])))
}

const wordsOf = ({ reason, detail = '' }: Refused): string => (detail === '' ? reason : `${reason}: ${detail}`)

/** Refuses a test of a provider that cannot be reached, and shows the reason. */
export const cannotTest = (refused: Refused): Refusal =>
  new Refusal('SIGN_IN_REFUSED', `The test could not begin: ${wordsOf(refused)}`)

/** Keeps what a test came to, for those who may see the provider. Nobody was signed in, or linked. */
export async function keepTest(
  call: Call,
  row: ProviderRow,
  { testUserId }: Flow,
  person: AtProvider | Refused,
  found: { user: Person } | Refused,
): Promise<void> {
  const at = 'code' in person ? { subject: '', address: '', email: '' } : person
  await updateTest(call.db, call.tenant.id, row, {
    testedAt: call.now(),
    testedBy: testUserId,
    testResult: {
      code: 'code' in found ? found.code : '',
      reason: 'code' in found ? wordsOf(found) : '',
      subject: at.subject,
      email: at.address,
      isEmailVerified: at.email !== '',
      userId: found.user?.id ?? '',
    },
  })
}
