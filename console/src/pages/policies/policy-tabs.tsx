import type { ReactNode } from 'react'
import { useNoApprover } from '../../client/no-approver.ts'
import { Tabs } from '../../parts/tabs.tsx'

const againMs = 10_000

/** The pages about policies. */
export function PolicyTabs(): ReactNode {
  const all = useNoApprover(againMs)
  return (
    <Tabs
      label="The policies"
      tabs={[
        { label: 'All policies', to: '/policies', isExact: true },
        { label: all ? `No approver (${all})` : 'No approver', to: '/policies/unanswerable' },
      ]}
    />
  )
}
