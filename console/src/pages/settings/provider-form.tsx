import { Alert, PasswordInput, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { signInProviderCreate, signInProviderList, signInProviderUpdate, signInWays } from '#client/api/operations.ts'
import type { SignInProvider } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { CopyText } from '../../parts/copy.tsx'
import { FormModal } from '../../parts/form-modal.tsx'

const fields = ['displayName', 'issuer', 'clientId', 'clientSecret', 'domains']
const changes = [signInProviderList, signInWays]

type ProviderFormProps = { provider: SignInProvider | null; onClose: () => void }

/** A new provider, or the settings of one. While it is enabled, most of them cannot be changed. */
export function ProviderForm({ provider, onClose }: ProviderFormProps): ReactNode {
  const [values, setValues] = useState({
    displayName: provider?.displayName ?? '',
    issuer: provider?.issuer ?? '',
    clientId: provider?.clientId ?? '',
    clientSecret: '',
    domains: provider?.domains.join(', ') ?? '',
  })
  const create = useChange(signInProviderCreate, {
    changes,
    done: 'Created the provider. It is disabled until you enable it',
    onDone: onClose,
  })
  const update = useChange(signInProviderUpdate, { changes, done: 'Saved the provider', onDone: onClose })
  const save = provider ? update : create
  const isFixed = provider?.isEnabled ?? false
  const domains = values.domains.split(/[\s,;]+/).filter((each) => each !== '')
  const field = (name: keyof typeof values) => ({
    value: values[name],
    error: problemOf(save.error, name),
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setValues((before) => ({ ...before, [name]: value })),
  })
  return (
    <FormModal
      opened
      onClose={onClose}
      title={provider ? `Edit ${provider.displayName}` : 'Add a provider'}
      verb={provider ? 'Save' : 'Add, disabled'}
      isIncomplete={!values.displayName.trim() || !values.issuer.trim() || !values.clientId.trim() || !domains.length}
      isPending={save.isPending}
      error={save.error}
      fields={fields}
      onSubmit={() => {
        const body = { ...values, issuer: values.issuer.trim(), domains }
        if (provider) update.mutate({ path: { id: provider.id }, body })
        else create.mutate({ body })
      }}
    >
      {isFixed && (
        <Alert color="blue" variant="light">
          While it is enabled, only the name and the client secret can be changed.
        </Alert>
      )}
      <TextInput label="Name" required maxLength={100} data-autofocus {...field('displayName')} />
      <TextInput
        label="Issuer"
        description="The address of the provider, as in https://login.example.com."
        required
        disabled={isFixed}
        {...field('issuer')}
      />
      <TextInput label="Client ID" required disabled={isFixed} {...field('clientId')} />
      <PasswordInput
        label="Client secret"
        description={
          provider?.hasClientSecret
            ? 'Leave it empty to keep the present one. It is stored encrypted, and never shown.'
            : 'It is stored encrypted, and never shown. Leave it empty for a public client.'
        }
        autoComplete="off"
        {...field('clientSecret')}
      />
      <TextInput
        label="Mail domains"
        description="Of the people who sign in with it, separated by commas. It cannot sign in people of other domains, unless they are linked to it."
        placeholder="example.com, example.org"
        required
        disabled={isFixed}
        {...field('domains')}
      />
      <RedirectUri />
    </FormModal>
  )
}

const RedirectUri = (): ReactNode => (
  <div>
    <Text size="sm" mb={4}>
      Register this redirect URI at the provider:
    </Text>
    <CopyText value={`${location.origin}/auth/v1/oidc/callback`} label="the redirect URI" />
  </div>
)
