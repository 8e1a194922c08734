import type { Flag } from '../command.ts'

export const tenantFlag: Flag = { name: 'tenant', value: 'DOMAIN', help: 'The tenant. [default: the only one]' }
export const jsonFlag: Flag = { name: 'json', value: null, help: 'Print JSON.' }
export const urlFlag: Flag = {
  name: 'url',
  value: 'URL',
  help: "The base URL of the tenant. [default: https:// and the tenant's domain; http:// for localhost]",
}
export const credentialUser: Flag = { name: 'user', value: 'EMAIL', help: 'The user of the credential.' }
