/** A setting that a connector is started with: a flag, or an environment variable. */
export type Setting = {
  /** The connector's name for it: `--NAME`. */
  name: string
  description: string
  type: 'string' | 'bool' | 'int' | 'list'
  /** Whether it does not start without it; for a setting of a group, if that group is used. */
  isRequired: boolean
  /** Whether it is secret, and so not stored here. */
  isSecret: boolean
  example: string
}

/** One of several ways to sign in to the app: the settings that it requires. */
export type Group = { name: string; displayName: string; isDefault: boolean; settings: readonly string[] }

/** A connector that is known to work with this service, by the name of its program. */
export type CatalogEntry = {
  id: string
  displayName: string
  /** What it reads, by the names of things in the app. */
  reads: readonly string[]
  /** What it grants and revokes; empty if it only reads. */
  provisions: readonly string[]
  /** Whether it creates accounts. */
  createsAccounts: boolean
  settings: readonly Setting[]
  groups: readonly Group[]
}

/** The repository of a connector on GitHub. */
export const repositoryOf = ({ id }: Pick<CatalogEntry, 'id'>): string => `ConductorOne/${id}`

export const flagOf = ({ name }: Pick<Setting, 'name'>): string => `--${name}`
/** Every flag of a Baton connector can be a variable of the environment instead. */
export const environmentOf = ({ name }: Pick<Setting, 'name'>): string =>
  `BATON_${name.toUpperCase().replaceAll('-', '_')}`

/** The settings of every connector that runs as a service. */
export const serviceSettings: readonly Setting[] = [
  {
    name: 'client-id',
    description:
      'Client id of the connector, from the response that created its credential. It contains the address of the server.',
    type: 'string',
    isRequired: true,
    isSecret: false,
    example: '',
  },
  {
    name: 'client-secret',
    description: 'Client secret of the connector, from the same response.',
    type: 'string',
    isRequired: true,
    isSecret: true,
    example: '',
  },
  {
    name: 'provisioning',
    description: 'Lets the connector grant and revoke access and create accounts. Without it, it only reads.',
    type: 'bool',
    isRequired: false,
    isSecret: false,
    example: 'true',
  },
]
