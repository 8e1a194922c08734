import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import type { Profile } from './profile.ts'

/** Records a change of a profile in the system log. */
export const recordProfileChange = (
  tx: Tx,
  call: Call,
  activity: 'create' | 'update' | 'delete',
  verb: string,
  { profile, ...more }: { profile: Profile; [field: string]: unknown },
) => {
  const { id, displayName: name } = profile
  const { displayName: _, ...data } = logged(profile)
  const touched = { type: 'request_catalog', id, name, data: { ...data, ...more } }
  return recordChange(tx, call, activity, `${verb} the access profile ${name}`, [touched])
}

/** The fields of a profile in an event. */
export const logged = ({
  displayName,
  published,
  visibleToEveryone,
  requestBundle,
  enrollmentBehavior,
  ...of
}: Profile) => ({
  displayName,
  published,
  visibleToEveryone,
  requestBundle,
  enrollmentBehavior,
  unenrollmentBehavior: of.unenrollmentBehavior,
  unenrollmentEntitlementBehavior: of.unenrollmentEntitlementBehavior,
})
