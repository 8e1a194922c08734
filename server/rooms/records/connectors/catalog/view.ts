import { nextPageToken } from '#kernel/pages.ts'
import { described, flag, list, listOf, message, nested, oneOf, text } from '#kernel/wire.ts'
import { type CatalogEntry, environmentOf, flagOf, repositoryOf, type Setting, serviceSettings } from './entry.ts'

const SettingMessage = message('connector.v1.ConnectorSetting', {
  name: text(),
  flag: described(text(), 'On the command line.'),
  environment: described(text(), 'In the environment, instead of the flag.'),
  description: text(),
  type: oneOf(['unspecified', 'string', 'bool', 'int', 'list']),
  isRequired: described(flag(), 'For a setting in a group: required if that group is used.'),
  isSecret: described(flag(), 'Set it where the connector runs; it is not stored.'),
  example: text(),
})

const GroupMessage = message('connector.v1.ConnectorSettingGroup', {
  name: text(),
  displayName: text(),
  isDefault: flag(),
  settings: described(list(text()), 'Names of settings. Use the settings of one group, and those without a group.'),
})

const EntryMessage = message(
  'connector.v1.ConnectorCatalogEntry',
  {
    id: described(text(), 'The catalogId of connectors.'),
    displayName: text(),
    reads: described(list(text()), 'What it reads.'),
    provisions: described(list(text()), 'What it grants and revokes; empty if it only reads.'),
    createsAccounts: flag(),
    command: described(text(), 'The name of its program.'),
    repository: described(text(), 'Its repository on GitHub, which also has its documentation and its releases.'),
    settings: listOf(SettingMessage),
    groups: described(listOf(GroupMessage), 'The ways to sign in to the app, if there are several.'),
    serviceSettings: described(listOf(SettingMessage), 'The settings that every connector needs to call this server.'),
  },
  'An open-source connector and its settings.',
)

export const catalogReply = message('connector.v1.ConnectorCatalogServiceListResponse', {
  list: listOf(EntryMessage),
  nextPageToken,
})

const settingOnWire = (setting: Setting) => ({
  ...setting,
  flag: flagOf(setting),
  environment: environmentOf(setting),
})

export const viewEntry = (entry: CatalogEntry) => ({
  ...entry,
  command: entry.id,
  repository: repositoryOf(entry),
  settings: entry.settings.map(settingOnWire),
  serviceSettings: serviceSettings.map(settingOnWire),
})

// Names that differ from the published ones: forms have fields and groups of the same names, which the console's types are
// named after.
const name = (of: string): string => `integration.connector.v1.${of}`
const ofSecrets = { secret: flag() }
const FieldMessage = message(name('ConfigField'), {
  name: text(),
  displayName: text(),
  placeholder: text(),
  helpUrl: text(),
  str: nested(message(name('ConfigStringField'), ofSecrets)),
  strList: nested(message(name('ConfigStringListField'), {})),
  checkbox: nested(message(name('ConfigCheckboxField'), { checked: flag() })),
})
const FieldGroupMessage = message(name('ConfigFieldGroup'), {
  name: text(),
  displayName: text(),
  helpText: text(),
  default: flag(),
  fieldNames: list(text()),
})
export const schemaReply = message(name('ConnectorCatalogServiceConfigurationSchemaResponse'), {
  schema: nested(
    message(name('ConfigSchema'), {
      displayName: text(),
      helpUrl: text(),
      requiresExternalConnector: described(flag(), 'Always: connectors are programs that you run.'),
      fields: listOf(FieldMessage),
      fieldGroups: listOf(FieldGroupMessage),
    }),
  ),
})

const fieldOf = ({ name: setting, description, type, isSecret, example }: Setting) => ({
  name: setting,
  displayName: description,
  placeholder: example,
  helpUrl: '',
  str: type === 'string' || type === 'int' ? { secret: isSecret } : null,
  strList: type === 'list' ? {} : null,
  checkbox: type === 'bool' ? { checked: false } : null,
})

/** A connector's settings in the form of the published API. */
export const viewSchema = (entry: CatalogEntry) => ({
  displayName: entry.displayName,
  helpUrl: `https://github.com/${repositoryOf(entry)}`,
  requiresExternalConnector: true,
  fields: entry.settings.map(fieldOf),
  fieldGroups: entry.groups.map((group) => ({
    name: group.name,
    displayName: group.displayName,
    helpText: '',
    default: group.isDefault,
    fieldNames: group.settings,
  })),
})
