import { Button, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { EntitlementPicker } from '../../parts/entitlement-picker.tsx'
import { useOpenedBy } from '../../parts/opened-by.ts'

type ChooseEntitlementProps = {
  /** The label of the button that begins it. */
  label: string
  about: string
  /** Where it continues, below the address of the entitlement. Not `#create`, which this page would handle. */
  to: '/automation#new' | '#add'
}

/** Asks for an entitlement, to begin something on its page from a list across apps. */
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
