import { ActionIcon, Tooltip } from '@mantine/core'
import { IconHelpCircle } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { SidePanel } from '../../parts/dialog.tsx'
import { Explanation } from './explanation.tsx'
import type { Of } from './reads.ts'

type ExplainProps = {
  of: Of
  userId: string
  /** Which access, as in `of Ann Lee` or `to Night watch`. */
  which: string
}

/** More about one user's access, over the page. */
export const ExplainPanel = ({ of, userId, which, onClose }: ExplainProps & { onClose: () => void }): ReactNode => (
  <SidePanel opened onClose={onClose} title={`Access ${which}`}>
    <Explanation of={of} userId={userId} />
  </SidePanel>
)

/** A button in a row that explains one user's access. */
export function ExplainAction({ of, userId, which }: ExplainProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Tooltip label="Explain">
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={`Explain access ${which}`}
          onClick={() => setOpen(true)}
        >
          <IconHelpCircle size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {isOpen && <ExplainPanel of={of} userId={userId} which={which} onClose={() => setOpen(false)} />}
    </>
  )
}
