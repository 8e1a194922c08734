import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { Chosen } from '../../parts/chosen.tsx'
import { EntitlementPicker } from '../../parts/entitlement-picker.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { UserPicker } from '../../parts/user-picker.tsx'
import type { Owned } from './kinds.ts'
import { ownerReads, slugProblem } from './owners-form.tsx'
import { primary, type Role } from './roles.ts'

type AddOwnerProps<Path> = {
  owned: Owned<Path>
  /** The role; without it, the form has a field for it. */
  role?: Role
  onClose: () => void
}
type Picked = { name: string } & ({ userId: string } | { appId: string; entitlementId: string })

/** One more owner in a role, beside the others. */
export function AddOwner<Path>({ owned, role, onClose }: AddOwnerProps<Path>): ReactNode {
  const { operations, path } = owned
  const [slug, setSlug] = useState(role?.slug ?? primary)
  const [kind, setKind] = useState<'user' | 'entitlement'>('user')
  const [picked, setPicked] = useState<Picked | null>(null)
  const after = { changes: ownerReads(operations), done: `Added ${picked?.name ?? ''}`, onDone: onClose }
  const addUser = useChange(operations.addUser, after)
  const addEntitlement = useChange(operations.addEntitlement, after)
  const { isPending, error } = kind === 'user' ? addUser : addEntitlement
  const wrong = slugProblem(slug)
  const submit = (): void => {
    if (!picked) return
    if ('userId' in picked) addUser.mutate({ path: { ...path, role_slug: slug, user_ref_id: picked.userId } })
    else
      addEntitlement.mutate({
        path: {
          ...path,
          role_slug: slug,
          app_entitlement_ref_app_id: picked.appId,
          app_entitlement_ref_id: picked.entitlementId,
        },
      })
  }
  return (
    <FormModal
      opened
      onClose={onClose}
      title={role ? `Add an owner in ${role.slug}` : 'Add an owner'}
      verb="Add owner"
      isIncomplete={picked === null || wrong !== undefined || slug === ''}
      isPending={isPending}
      error={error}
      onSubmit={submit}
    >
      {!role && (
        <TextInput
          label="Role"
          required
          maxLength={64}
          value={slug}
          onChange={({ currentTarget: { value } }) => setSlug(value)}
          error={wrong ?? problemOf(error, 'role_slug')}
        />
      )}
      <ChoiceField
        label="The owner is"
        fullWidth
        data={[
          { value: 'user', label: 'A user' },
          { value: 'entitlement', label: 'Everyone with an entitlement' },
        ]}
        value={kind}
        onChange={(value) => {
          setKind(value)
          setPicked(null)
        }}
      />
      <OwnerPicker kind={kind} role={role} onPick={setPicked} />
      {picked && (
        <Chosen
          items={[picked]}
          keyOf={({ name }) => name}
          nameOf={({ name }) => name}
          onRemove={() => setPicked(null)}
        />
      )}
    </FormModal>
  )
}

type OwnerPickerProps = { kind: 'user' | 'entitlement'; role: Role | undefined; onPick: (picked: Picked) => void }

const OwnerPicker = ({ kind, role, onPick }: OwnerPickerProps): ReactNode =>
  kind === 'user' ? (
    <UserPicker
      label="User"
      isAutoFocused
      without={role?.users.flatMap(({ user }) => (user ? [user.id] : [])) ?? []}
      onPick={({ id, displayName, email }) => onPick({ userId: id, name: displayName || email })}
    />
  ) : (
    <EntitlementPicker
      label="Entitlement"
      without={role?.entitlements.flatMap(({ appEntitlement: held }) => (held ? [held] : [])) ?? []}
      onPick={({ entitlement, appName }) =>
        onPick({
          appId: entitlement.appId,
          entitlementId: entitlement.id,
          name: appName ? `${entitlement.displayName} (${appName})` : entitlement.displayName,
        })
      }
    />
  )
