import { Checkbox, NativeSelect, PasswordInput, Text, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ConnectorCatalogEntry, ConnectorSetting } from '#client/api/types.ts'
import { settingsFor, usualGroup } from './settings-of.ts'

/** What a program is to be run with. */
export type ProgramValues = {
  group: string | null
  settings: Readonly<Record<string, string>>
  isProvisioning: boolean
}
export const noValues: ProgramValues = { group: null, settings: {}, isProvisioning: false }

const shownOf = (entry: ConnectorCatalogEntry, { group }: ProgramValues): ConnectorSetting[] =>
  settingsFor(entry, group ?? usualGroup(entry))

/** The settings that are sent: of the chosen way to sign in, those that are not empty. */
export const sentSettings = (entry: ConnectorCatalogEntry, values: ProgramValues) =>
  shownOf(entry, values).flatMap(({ name }) => {
    const value = (values.settings[name] ?? '').trim()
    return value === '' ? [] : [{ name, value }]
  })

export const isLacking = (entry: ConnectorCatalogEntry, values: ProgramValues): boolean =>
  shownOf(entry, values).some(({ name, isRequired }) => isRequired && (values.settings[name] ?? '').trim() === '')

type ProgramFieldsProps = {
  entry: ConnectorCatalogEntry
  values: ProgramValues
  onChange: (values: ProgramValues) => void
}

/** What a connector needs that this server runs. */
export function ProgramFields({ entry, values, onChange }: ProgramFieldsProps): ReactNode {
  const { groups } = entry
  const mayProvision = entry.provisions.length > 0 || entry.repository === ''
  const set = (name: string, value: string): void =>
    onChange({ ...values, settings: { ...values.settings, [name]: value } })
  return (
    <>
      {groups.length > 1 && (
        <NativeSelect
          label="How the connector signs in to the app"
          data={groups.map(({ name, displayName: label }) => ({ value: name, label }))}
          value={values.group ?? usualGroup(entry)}
          onChange={({ currentTarget: { value } }) => onChange({ ...values, group: value })}
        />
      )}
      {shownOf(entry, values).map((setting) => (
        <SettingField
          key={setting.name}
          setting={setting}
          value={values.settings[setting.name] ?? ''}
          onChange={(value) => set(setting.name, value)}
        />
      ))}
      {entry.settings.length === 0 && <Text size="sm">The program does not say which settings it has.</Text>}
      {mayProvision && (
        <Checkbox
          label="Allow the connector to change the app"
          description="Without it the connector only reads."
          checked={values.isProvisioning}
          onChange={({ currentTarget: { checked } }) => onChange({ ...values, isProvisioning: checked })}
        />
      )}
    </>
  )
}

type SettingFieldProps = { setting: ConnectorSetting; value: string; onChange: (value: string) => void }

function SettingField({ setting, value, onChange }: SettingFieldProps): ReactNode {
  const { name, description, type, isRequired, isSecret, example } = setting
  const shared = {
    label: description || name,
    description: description ? name : undefined,
    required: isRequired,
    value,
  }
  const onInput = ({ currentTarget }: { currentTarget: { value: string } }): void => onChange(currentTarget.value)
  if (type === 'bool')
    return (
      <Checkbox
        label={description || name}
        description={description ? name : undefined}
        checked={value === 'true'}
        onChange={({ currentTarget: { checked } }) => onChange(checked ? 'true' : '')}
      />
    )
  // A private key has several lines, which a field for passwords would join.
  if (isSecret && /private key|PEM/i.test(description))
    return (
      <Textarea {...shared} autosize minRows={2} maxRows={6} autoComplete="off" spellCheck={false} onChange={onInput} />
    )
  if (isSecret)
    return (
      <PasswordInput
        {...shared}
        placeholder={example}
        autoComplete="off"
        maxLength={16_000}
        onChange={onInput}
        visibilityToggleButtonProps={{ 'aria-label': `Show ${name}` }}
      />
    )
  return <TextInput {...shared} placeholder={example} maxLength={16_000} onChange={onInput} />
}
