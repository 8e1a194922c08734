import { Checkbox, NativeSelect, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import {
  requestCatalogManagementCreate,
  requestCatalogManagementGet,
  requestCatalogManagementList,
  requestCatalogManagementUpdate,
  requestCatalogSearchEntitlements,
} from '#client/api/operations.ts'
import type { RequestCatalog } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { FormModal } from '../../parts/form-modal.tsx'
import { NameField } from '../../parts/name-fields.tsx'
import { enrollments, revocations, unenrollments } from './words.ts'

export const profileReads = [
  requestCatalogManagementGet,
  requestCatalogManagementList,
  requestCatalogSearchEntitlements,
]

type ProfileFormProps = { profile?: RequestCatalog; onClose: () => void; onCreated?: (id: string) => void }

const known = <V extends string>(value: V | undefined, all: readonly { value: V }[]): V =>
  all.find((each) => each.value === value)?.value ?? (all[0] as { value: V }).value

const termsOf = (profile: RequestCatalog | undefined) => ({
  displayName: profile?.displayName ?? '',
  description: profile?.description ?? '',
  published: profile?.published ?? true,
  visibleToEveryone: profile?.visibleToEveryone ?? true,
  requestBundle: profile?.requestBundle ?? false,
  enrollmentBehavior: known(profile?.enrollmentBehavior, enrollments),
  unenrollmentBehavior: known(profile?.unenrollmentBehavior, unenrollments),
  unenrollmentEntitlementBehavior: known(profile?.unenrollmentEntitlementBehavior, revocations),
})

/** Creates or changes an access profile. */
export function ProfileForm({ profile, onClose, onCreated }: ProfileFormProps): ReactNode {
  const [terms, setTerms] = useState(() => termsOf(profile))
  const set = (changes: Partial<typeof terms>): void => setTerms((before) => ({ ...before, ...changes }))
  const create = useChange(requestCatalogManagementCreate, {
    changes: profileReads,
    done: `Created ${terms.displayName.trim()}`,
    onDone({ requestCatalogView: view }) {
      onClose()
      if (view?.requestCatalog) onCreated?.(view.requestCatalog.id)
    },
  })
  const update = useChange(requestCatalogManagementUpdate, { changes: profileReads, done: 'Saved', onDone: onClose })
  const { error, isPending } = profile ? update : create
  const problem = (field: string): string | undefined => problemOf(error, profile ? `catalog.${field}` : field)
  const sent = { ...terms, displayName: terms.displayName.trim(), description: terms.description.trim() }
  return (
    <FormModal
      opened
      onClose={onClose}
      title={profile ? `Edit ${profile.displayName}` : 'Create access profile'}
      verb={profile ? 'Save' : 'Create'}
      isIncomplete={sent.displayName === ''}
      isPending={isPending}
      error={error}
      fields={['displayName', 'description'].map((field) => (profile ? `catalog.${field}` : field))}
      onSubmit={() =>
        profile
          ? update.mutate({
              path: { id: profile.id },
              body: { catalog: sent, updateMask: Object.keys(sent).join(',') },
            })
          : create.mutate({ body: sent })
      }
    >
      <NameField
        value={terms.displayName}
        onChange={(displayName) => set({ displayName })}
        error={problem('displayName')}
      />
      <Textarea
        label="Description"
        autosize
        minRows={1}
        maxLength={10_000}
        value={terms.description}
        onChange={({ currentTarget: { value } }) => set({ description: value })}
        error={problem('description')}
      />
      <Checkbox
        label="Published"
        description="People who can see the profile can request its entitlements."
        checked={terms.published}
        onChange={({ currentTarget: { checked } }) => set({ published: checked })}
      />
      <Checkbox
        label="Visible to everyone"
        description="Otherwise, only people with one of the selected entitlements can see it."
        checked={terms.visibleToEveryone}
        onChange={({ currentTarget: { checked } }) => set({ visibleToEveryone: checked })}
      />
      <Checkbox
        label="Can be requested as a whole"
        checked={terms.requestBundle}
        onChange={({ currentTarget: { checked } }) => set({ requestBundle: checked })}
      />
      <MembershipFields terms={terms} onChange={set} />
    </FormModal>
  )
}

type MembershipFieldsProps = {
  terms: ReturnType<typeof termsOf>
  onChange: (changes: Partial<ReturnType<typeof termsOf>>) => void
}

/** What becomes of access when people join and leave. */
const MembershipFields = ({ terms, onChange }: MembershipFieldsProps): ReactNode => (
  <>
    <NativeSelect
      label="When someone becomes a member"
      value={terms.enrollmentBehavior}
      onChange={({ currentTarget: { value } }) => onChange({ enrollmentBehavior: value as never })}
      data={[...enrollments]}
    />
    <NativeSelect
      label="When a member leaves"
      value={terms.unenrollmentBehavior}
      onChange={({ currentTarget: { value } }) => onChange({ unenrollmentBehavior: value as never })}
      data={[...unenrollments]}
    />
    {terms.unenrollmentBehavior !== 'REQUEST_CATALOG_UNENROLLMENT_BEHAVIOR_LEAVE_ACCESS_AS_IS' && (
      <NativeSelect
        label="How access is revoked"
        value={terms.unenrollmentEntitlementBehavior}
        onChange={({ currentTarget: { value } }) => onChange({ unenrollmentEntitlementBehavior: value as never })}
        data={[...revocations]}
      />
    )}
  </>
)
