import { Button, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { EntitlementPicker } from '../../parts/entitlement-picker.tsx'
import { useOpenedBy } from '../../parts/opened-by.ts'

type ChooseEntitlementProps = {
  /** What is begun, as the button says it. */
  label: string
  about: string
  /** Where it goes on, below the address of the entitlement. Not `#create`, which this page would take for itself. */
  to: '/automation#new' | '#add'
}

/** Begins something that is done on the page of one entitlement, from a list across apps: asks which one. */
export function ChooseEntitlement({ label, about, to }: ChooseEntitlementProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const navigate = useNavigate()
  useOpenedBy('create', () => setOpen(true))
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Dialog opened onClose={() => setOpen(false)} title={label}>
          <Stack>
            <Text size="sm">{about}</Text>
            <EntitlementPicker
              label="Entitlement"
              isAutoFocused
              onPick={({ entitlement: { appId, id } }) =>
                void navigate({ href: `/apps/${appId}/entitlements/${id}${to}` })
              }
            />
          </Stack>
        </Dialog>
      )}
    </>
  )
}
