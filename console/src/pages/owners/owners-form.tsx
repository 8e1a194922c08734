import { Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { appSearchUserOwnership } from '#client/api/operations.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { Chosen } from '../../parts/chosen.tsx'
import { EntitlementName } from '../../parts/entitlement-name.tsx'
import { EntitlementPicker } from '../../parts/entitlement-picker.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { UserPicker } from '../../parts/user-picker.tsx'
import type { Owned, OwnerOperations } from './kinds.ts'
import { primary, type Role } from './roles.ts'

/** The operations whose replies change with the owners. */
export const ownerReads = <Path,>({ users, entitlements }: OwnerOperations<Path>): readonly { id: string }[] => [
  users,
  entitlements,
  appSearchUserOwnership,
]

type OwnersFormProps<Path> = {
  owned: Owned<Path>
  /** The role whose owners are replaced; without one, the form adds a role. */
  role?: Role
  /** Roles that already have owners. */
  taken?: readonly string[]
  onClose: () => void
}

type Someone = { id: string; name: string }
type Something = { appId: string; id: string; name: string }

const slugRule = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** What is wrong with the name of a role, while it is typed; a new one must not be taken. */
export const slugProblem = (slug: string, taken: readonly string[] = []): string | undefined => {
  if (slug === '') return undefined
  if (!slugRule.test(slug)) return 'Use a-z, 0-9, _ and -. Start with a letter or a digit. At most 64 characters.'
  return taken.includes(slug) ? 'This role already has owners: edit them there.' : undefined
}

/** Replaces all owners of a role at once: those who are not in the form are removed. */
export function OwnersForm<Path>({ owned, role, taken = [], onClose }: OwnersFormProps<Path>): ReactNode {
  const [slug, setSlug] = useState(role?.slug ?? (taken.includes(primary) ? '' : primary))
  const owners = useOwners(role)
  const { users, entitlements } = owners
  const set = useChange(owned.operations.set, {
    changes: ownerReads(owned.operations),
    done: `Saved the owners in ${slug}`,
    onDone: onClose,
  })
  const wrong = role ? undefined : slugProblem(slug, taken)
  const isNobody = users.length + entitlements.length === 0
  return (
    <FormModal
      opened
      onClose={onClose}
      title={role ? `Replace the owners in ${role.slug}` : taken.length === 0 ? 'Add owner' : 'Add a role'}
      verb={role ? 'Replace owners' : taken.length === 0 ? 'Add owner' : 'Add role'}
      isIncomplete={slug === '' || wrong !== undefined || (isNobody && !role)}
      isPending={set.isPending}
      error={set.error}
      fields={['roleSlug', 'userRefs', 'appEntitlementRefs']}
      onSubmit={() =>
        set.mutate({
          path: owned.path,
          body: {
            roleSlug: slug,
            userRefs: users.map(({ id }) => ({ id })),
            appEntitlementRefs: entitlements.map(({ appId, id }) => ({ appId, id })),
          },
        })
      }
    >
      {!role && (
        <TextInput
          label="Role"
          description="The role as used in the API, such as primary, technical or budget-holder."
          required
          data-autofocus
          maxLength={64}
          value={slug}
          onChange={({ currentTarget: { value } }) => setSlug(value)}
          error={wrong ?? problemOf(set.error, 'roleSlug')}
        />
      )}
      <OwnerFields {...owners} error={set.error} />
      {role && (
        <Text size="sm" c="dimmed">
          {isNobody
            ? 'No owners are selected: the role will have no owners.'
            : 'Everyone not selected here is removed from this role. Other roles are not changed.'}
        </Text>
      )}
    </FormModal>
  )
}

/** The chosen owners of a role: at first the existing ones. */
function useOwners(role: Role | undefined) {
  const [users, setUsers] = useState<readonly Someone[]>(
    role?.users.flatMap(({ user }) => (user ? [{ id: user.id, name: user.displayName || user.email }] : [])) ?? [],
  )
  const [entitlements, setEntitlements] = useState<readonly Something[]>(
    role?.entitlements.flatMap(({ appEntitlement: held }) =>
      held ? [{ appId: held.appId, id: held.id, name: held.displayName }] : [],
    ) ?? [],
  )
  return { users, setUsers, entitlements, setEntitlements }
}

type OwnerFieldsProps = ReturnType<typeof useOwners> & { error: unknown }

function OwnerFields({ users, setUsers, entitlements, setEntitlements, error }: OwnerFieldsProps): ReactNode {
  return (
    <>
      <UserPicker
        label="Users"
        without={users.map(({ id }) => id)}
        onPick={({ id, displayName, email }) => setUsers([...users, { id, name: displayName || email }])}
        error={problemOf(error, 'userRefs')}
      />
      <Chosen
        items={users}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        onRemove={(gone) => setUsers(users.filter((user) => user !== gone))}
      />
      <EntitlementPicker
        label="Members of entitlements"
        description="All current members are owners."
        without={entitlements}
        onPick={({ entitlement: { appId, id, displayName } }) =>
          setEntitlements([...entitlements, { appId, id, name: displayName }])
        }
        error={problemOf(error, 'appEntitlementRefs')}
      />
      <Chosen
        items={entitlements}
        keyOf={({ appId, id }) => `${appId} ${id}`}
        nameOf={({ name }) => name}
        onRemove={(gone) => setEntitlements(entitlements.filter((each) => each !== gone))}
      >
        {({ appId, id }) => <EntitlementName appId={appId} entitlementId={id} />}
      </Chosen>
    </>
  )
}
