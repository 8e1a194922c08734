import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import {
  enforcementGetApp,
  enforcementGetCoverage,
  enforcementListOfApps,
  enforcementListOfEntitlements,
  enforcementSetApp,
} from '#client/api/operations.ts'
import type { AppEnforcement } from '#client/api/types.ts'
import { useChange } from '../../client/queries.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'

const choices = [
  { value: 'WITHOUT_CONNECTOR_MANUAL', label: 'Ask the owners' },
  { value: 'WITHOUT_CONNECTOR_RECORDS_ONLY', label: 'Only record' },
] as const
type Choice = (typeof choices)[number]['value']

const abouts: Readonly<Record<Choice, string>> = {
  WITHOUT_CONNECTOR_MANUAL:
    'The owners of the app get a task for each approved request and each revocation, and say when it is done. Nobody is asked about grants of rules, and members who are added or removed directly.',
  WITHOUT_CONNECTOR_RECORDS_ONLY: 'Grants and revocations are recorded. Nobody is asked to change the app.',
}

/** What happens to a change that no connector is there for. Saved at once; for those who may edit the app. */
export function WithoutConnector({ of }: { of: AppEnforcement }): ReactNode {
  const change = useChange(enforcementSetApp, {
    changes: [enforcementGetApp, enforcementListOfApps, enforcementListOfEntitlements, enforcementGetCoverage],
    done: 'Saved',
  })
  const chosen: Choice =
    of.withoutConnector === 'WITHOUT_CONNECTOR_MANUAL' ? of.withoutConnector : 'WITHOUT_CONNECTOR_RECORDS_ONLY'
  return (
    <Stack gap={4} maw="44rem" align="flex-start">
      <ChoiceField<Choice>
        label={of.connectors.length === 0 ? 'Without a connector' : 'For entitlements that no connector reports'}
        value={chosen}
        disabled={change.isPending}
        data={choices.map((each) => ({ ...each }))}
        onChange={(withoutConnector) => change.mutate({ path: { app_id: of.appId }, body: { withoutConnector } })}
      />
      <Text size="sm" c="dimmed">
        {abouts[chosen]}
      </Text>
      <ErrorNote error={change.error} />
    </Stack>
  )
}
