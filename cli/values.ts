import type { Job } from '#rooms/foundation/jobs/index.ts'
import type { SignInPolicy } from '#rooms/identity/sessions/index.ts'
import type { KindName } from '#rooms/records/imports/index.ts'
import type { Flag } from './command.ts'

// Named here as well as in the rooms, because `--help` does not load them. A missing name is a type error.
const namesOf = <Name extends string>(names: Record<Name, true>): Name[] => Object.keys(names) as Name[]

export const jobStates = namesOf<Job['state']>({ waiting: true, running: true, stuck: true })
export const signInMethods = namesOf<SignInPolicy['methods'][number]>({ link: true, passkey: true, oidc: true })
export const importKinds = namesOf<KindName>({
  user: true,
  app: true,
  resource_type: true,
  resource: true,
  entitlement: true,
  account: true,
  grant: true,
})

/** How many rows a command lists at most. */
export const listMax = 1000

/** How many shards a table of a distributed database has by default. */
export const shardsDefault = 32

// Flags that several commands have.
export const tenantFlag: Flag = { name: 'tenant', value: 'DOMAIN', help: 'The tenant. [default: the only one]' }
export const jsonFlag: Flag = { name: 'json', value: null, help: 'Print JSON.' }
export const urlFlag: Flag = {
  name: 'url',
  value: 'URL',
  help: "The base URL of the tenant. [default: https:// and the tenant's domain; http:// for localhost]",
}
export const credentialUser: Flag = { name: 'user', value: 'EMAIL', help: 'The user of the credential.' }
