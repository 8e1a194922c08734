import { Badge, Button, NativeSelect } from '@mantine/core'
import { IconCopy, IconPlus, IconRoute, IconTrash } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { policySearch } from '#client/api/operations.ts'
import type { Policy } from '#client/api/types.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { Page } from '../../parts/page.tsx'
import { actionsColumn } from '../../parts/row-actions.tsx'
import { counted } from '../tasks/words.ts'
import { DeletePolicy } from './delete-policy.tsx'
import { draftOf, type PolicyType } from './draft.ts'
import { PolicyTabs } from './policy-tabs.tsx'
import { offeredTypes, titleOf, typeWords } from './words.ts'

/** Every policy, the built-in ones among them. */
export function Policies(): ReactNode {
  const { may } = useSession()
  const navigate = useNavigate()
  const [deleting, setDeleting] = useState<Policy | null>(null)
  const mayWrite = may('policies.write')
  const create = mayWrite && (
    <Button component={Link} to="/policies/new" leftSection={<IconPlus size={16} aria-hidden />}>
      Create policy
    </Button>
  )
  return (
    <Page about="Who approves access, and in which steps. Changes apply to new requests only." actions={create}>
      <PolicyTabs />
      <DataList
        caption="Policies"
        operation={policySearch}
        input={({ query, pageSize, pageToken, filter }) => ({
          body: {
            query,
            policyTypes: Object.hasOwn(typeWords, filter('type')) ? [filter('type') as PolicyType] : [],
            scopeView: 'POLICY_SCOPE_VIEW_ALL' as const,
            pageSize,
            pageToken,
          },
        })}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        search="Search policies"
        filters={<TypeFilter />}
        columns={[
          {
            header: 'Policy',
            cell: ({ id, displayName, description, systemBuiltin, scope }) => (
              <>
                <Named label={displayName} to={`/policies/${id}`} about={description} />
                {systemBuiltin && <Badge mr={6}>Built-in</Badge>}
                {scope && <Badge>Emergency access to one app</Badge>}
              </>
            ),
          },
          { header: 'For', width: '11rem', cell: ({ policyType }) => typeWords[policyType as PolicyType] ?? '–' },
          { header: 'Steps', width: '30%', cell: (policy) => stepWords(policy) },
          { header: 'Changed', width: '9rem', cell: ({ updatedAt }) => <Moment at={updatedAt} show="day" /> },
          ...(mayWrite
            ? [
                actionsColumn<Policy>('5.5rem', (policy) => [
                  {
                    label: 'Duplicate',
                    name: `Duplicate ${policy.displayName}`,
                    icon: IconCopy,
                    onClick: () => void navigate({ href: `/policies/new?from=${policy.id}` }),
                  },
                  {
                    label: policy.systemBuiltin ? 'Built-in policies cannot be deleted' : 'Delete',
                    name: `Delete ${policy.displayName}`,
                    icon: IconTrash,
                    isDisabled: policy.systemBuiltin,
                    onClick: () => setDeleting(policy),
                  },
                ]),
              ]
            : []),
        ]}
        empty={{
          icon: IconRoute,
          title: 'No policies',
          children: 'Create a policy to define who approves access.',
          action: create,
        }}
      />
      {deleting && <DeletePolicy policy={deleting} onClose={() => setDeleting(null)} />}
    </Page>
  )
}

const stepWords = (policy: Policy): string => {
  const { steps, rules, isByPolicy } = draftOf(policy)
  return [
    isByPolicy ? 'Steps of another policy' : steps.map(({ step }) => titleOf(step)).join(', then '),
    rules.length > 0 && counted(rules.length, 'rule'),
  ]
    .filter(Boolean)
    .join('; ')
}

function TypeFilter(): ReactNode {
  const { filter, set } = useListState()
  return (
    <NativeSelect
      label="For"
      value={filter('type')}
      onChange={({ currentTarget: { value } }) => set({ type: value })}
      data={[{ value: '', label: 'All' }, ...offeredTypes]}
    />
  )
}
