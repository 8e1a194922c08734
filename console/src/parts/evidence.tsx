import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconShieldCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { download } from '../client/download.ts'
import { useAsOf } from './as-of.tsx'
import type { Filters } from './list-kinds.ts'

/** Has a signed file written: who had access, why, by whose approval, and what the app confirmed. */
export const useEvidence = (path: string) =>
  useMutation({
    mutationFn: (filters: Filters) => download(path, filters),
    onSuccess: () =>
      notifications.show({
        title: 'Evidence pack created',
        message: 'Whoever receives it can verify it with bailiwick evidence verify.',
      }),
    onError: (error) =>
      notifications.show({ title: 'No evidence pack', message: error.message, color: 'red', autoClose: false }),
  })

type EvidenceButtonProps = { of: 'apps/{app_id}' | 'users/{user_id}'; ids: Record<string, string> }

/** An evidence pack of one thing, at the moment that the console shows. */
export function EvidenceButton({ of, ids }: EvidenceButtonProps): ReactNode {
  const asOf = useAsOf()
  const evidence = useEvidence(`/api/v1/${of}/evidence`)
  return (
    <Button
      variant="default"
      loading={evidence.isPending}
      leftSection={<IconShieldCheck size={16} aria-hidden />}
      onClick={() => evidence.mutate({ path: ids, body: asOf ? { asOf } : {} })}
    >
      Evidence pack
    </Button>
  )
}
