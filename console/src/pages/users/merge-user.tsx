import { Alert, Button, List, Skeleton, Stack, Text } from '@mantine/core'
import { IconArrowMerge } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { userMergesCreate, userMergesPlan } from '#client/api/operations.ts'
import type { User, UserMergesPlanResponse } from '#client/api/types.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { isOutdated, OutdatedNote } from '../../parts/plan-groups.tsx'
import { UserPicker } from '../../parts/user-picker.tsx'
import { counted } from '../tasks/words.ts'
import { mergeReads, useMerges } from './merges.ts'

/** Merges a user with another who is the same person; shows first what moves. */
export function MergeUser({ user }: { user: User }): ReactNode {
  const { may, user: self } = useSession()
  const [isOpen, setOpen] = useState(false)
  const { into } = useMerges(user.id)
  // Nobody merges themselves.
  if (into || !may('users.write') || self?.id === user.id || user.type !== 'USER_TYPE_HUMAN') return null
  return (
    <>
      <Button variant="default" leftSection={<IconArrowMerge size={16} aria-hidden />} onClick={() => setOpen(true)}>
        Merge with another user
      </Button>
      {isOpen && <MergeForm user={user} onClose={() => setOpen(false)} />}
    </>
  )
}

const nameOf = ({ displayName, email }: User): string => displayName || email

const useMergePlan = (goes: User | null, stays: User | null) =>
  useQuery({
    ...read(userMergesPlan, { path: { user_id: goes?.id ?? '' }, body: { intoUserId: stays?.id ?? '' } }),
    enabled: goes !== null && stays !== null,
    staleTime: 0,
    refetchOnWindowFocus: false,
    retry: false,
  })

function MergeForm({ user, onClose }: { user: User; onClose: () => void }): ReactNode {
  const { user: self } = useSession()
  const navigate = useNavigate()
  const [other, setOther] = useState<User | null>(null)
  const [staysOther, setStaysOther] = useState(true)
  const [goes, stays] = staysOther ? [user, other] : [other, user]
  const plan = useMergePlan(goes, stays)
  const merge = useChange(userMergesCreate, {
    changes: mergeReads,
    done: goes && stays ? `Merged ${nameOf(goes)} into ${nameOf(stays)}` : 'Merged',
    onDone() {
      onClose()
      void navigate({ to: '/users/$userId/profile', params: { userId: stays?.id ?? '' } })
    },
  })
  const forget = (): void => merge.reset()
  const shown = plan.isFetching ? undefined : plan.data
  return (
    <FormModal
      opened
      onClose={onClose}
      title={`Merge ${nameOf(user)} with another user`}
      verb="Merge"
      isIncomplete={!shown || shown.openTaskCount > 0 || isOutdated(merge.error)}
      isPending={merge.isPending}
      error={isOutdated(merge.error) ? null : merge.error}
      onSubmit={() =>
        goes &&
        stays &&
        shown &&
        merge.mutate({
          path: { user_id: goes.id },
          body: { intoUserId: stays.id, fingerprint: shown.fingerprint },
        })
      }
    >
      <Text size="sm">
        For two users who are one person. One of them is kept; the other is disabled and keeps only its history. You can
        undo this with Split.
      </Text>
      <UserPicker
        label="Other user"
        isAutoFocused
        chosen={other}
        without={[user.id, ...(self ? [self.id] : [])]}
        onPick={(picked) => {
          forget()
          setOther(picked)
        }}
      />
      {other && (
        <KeptField
          user={user}
          other={other}
          isOther={staysOther}
          onChange={(isOther) => {
            forget()
            setStaysOther(isOther)
          }}
        />
      )}
      {goes && stays && (
        <>
          {plan.isFetching && <Skeleton height={120} />}
          {!plan.isFetching && plan.error && <ErrorNote error={plan.error} title="They cannot be merged" />}
          {shown && <MergePlan plan={shown} goes={goes} stays={stays} />}
        </>
      )}
      {isOutdated(merge.error) && (
        <OutdatedMerge
          onAgain={() => {
            forget()
            void plan.refetch()
          }}
        />
      )}
    </FormModal>
  )
}

const labelOf = (user: User): string => [nameOf(user), user.displayName && user.email].filter(Boolean).join(', ')

const OutdatedMerge = ({ onAgain }: { onAgain: () => void }): ReactNode => (
  <OutdatedNote>
    <Text size="sm">Something has changed since this plan was created, so nothing was merged.</Text>
    <Button size="xs" variant="default" mt="xs" onClick={onAgain}>
      Create a new plan
    </Button>
  </OutdatedNote>
)

type KeptFieldProps = { user: User; other: User; isOther: boolean; onChange: (isOther: boolean) => void }

const KeptField = ({ user, other, isOther, onChange }: KeptFieldProps): ReactNode => (
  <ChoiceField
    label="User to keep"
    fullWidth
    orientation="vertical"
    data={[
      { value: 'other', label: labelOf(other) },
      { value: 'this', label: labelOf(user) },
    ]}
    value={isOther ? 'other' : 'this'}
    onChange={(value) => onChange(value === 'other')}
  />
)

type MergePlanProps = { plan: UserMergesPlanResponse; goes: User; stays: User }

/** What a merge moves, what ends, and what prevents it. */
function MergePlan({ plan, goes, stays }: MergePlanProps): ReactNode {
  const moves = [
    plan.accountCount > 0 &&
      `${counted(plan.accountCount, 'account')}${plan.grantCount > 0 ? `, with ${counted(plan.grantCount, 'grant')}` : ''}`,
    plan.directoryCount > 0 && `attributes from ${counted(plan.directoryCount, 'directory account')}`,
    plan.reportCount > 0 && `${counted(plan.reportCount, 'report')}, whose manager is ${nameOf(stays)} then`,
    plan.ownedCount > 0 && `${counted(plan.ownedCount, 'object')} that they own`,
  ].filter((each): each is string => each !== false)
  const ends = [
    'sign-in, and the effect of their roles',
    plan.sessionCount > 0 && counted(plan.sessionCount, 'session'),
    plan.credentialCount > 0 && counted(plan.credentialCount, 'API credential'),
    plan.assignedTaskCount > 0 &&
      `${counted(plan.assignedTaskCount, 'open step')} that wait for them: others decide instead`,
  ].filter((each): each is string => each !== false)
  return (
    <Stack gap="xs" aria-live="polite">
      {plan.openTaskCount > 0 && (
        <Alert color="red" variant="light" title="Open requests must be closed first">
          {counted(plan.openTaskCount, 'request')} about {nameOf(goes)} {plan.openTaskCount === 1 ? 'is' : 'are'} open.
          Decide or cancel {plan.openTaskCount === 1 ? 'it' : 'them'}, then merge.
        </Alert>
      )}
      <Text size="sm" fw={600}>
        {moves.length > 0 ? `Moves from ${nameOf(goes)} to ${nameOf(stays)}` : `Nothing moves from ${nameOf(goes)}`}
      </Text>
      {moves.length > 0 && (
        <List size="sm">
          {moves.map((each) => (
            <List.Item key={each}>{each}</List.Item>
          ))}
        </List>
      )}
      <Text size="sm" fw={600}>
        Ends for {nameOf(goes)}, who is disabled
      </Text>
      <List size="sm">
        {ends.map((each) => (
          <List.Item key={each}>{each}</List.Item>
        ))}
      </List>
    </Stack>
  )
}
