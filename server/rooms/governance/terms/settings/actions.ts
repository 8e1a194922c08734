import type { May } from '#authority/proof.ts'
import type { Tx } from '#kernel/sql.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import { findSettings, putSettings, type RequestSettings } from './store.ts'

export async function changeSettings(
  tx: Tx,
  call: May<'terms.change'>,
  changes: Partial<RequestSettings>,
): Promise<RequestSettings> {
  const after = { ...(await findSettings(tx, call.tenant.id)), ...changes }
  await putSettings(tx, call, after, call.now())
  const touched = [{ type: 'request_settings', id: call.tenant.publicId, data: after }]
  await recordChange(tx, call, 'update', 'Changed the settings of access requests', touched)
  return after
}
