import { readFile } from 'node:fs/promises'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { checkProvider, findOidc, issuerProblem, removeOidc, setOidc } from '#rooms/identity/sessions/index.ts'
import { dataSettings, type FlagValues, UsageError } from '#server/config.ts'
import type { Command } from './command.ts'
import { chooseTenant, operate, print, printJson, tenantFlag } from './operate.ts'
import { tenantUrl, urlFlag } from './sign-in-link.ts'

const callbackOf = (domain: string, flags: FlagValues): string => `${tenantUrl(domain, flags)}/auth/v1/oidc/callback`

/** From a file, never from an argument: everyone on the machine sees those. */
async function secretIn(file: string | undefined): Promise<string | null> {
  if (file === undefined) return null
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`cannot read ${file}: ${error.code}`)
  })
  const secret = text.replace(/\r?\n$/, '')
  if (secret === '' || secret.length > 4096) throw new UsageError(`${file} holds no client secret`)
  return secret
}

export const tenantOidcSet: Command = {
  name: 'tenant oidc set',
  positionals: [],
  summary: 'Let the people of a tenant sign in to the console with an OpenID Connect provider.',
  settings: dataSettings,
  flags: [
    { name: 'issuer', value: 'URL', help: 'The provider, as in https://login.example.com.', required: true },
    { name: 'client-id', value: 'ID', help: 'What the provider calls Bailiwick.', required: true },
    { name: 'client-secret-file', value: 'FILE', help: 'The client secret. [default: none, a public client]' },
    { name: 'unchecked', value: null, help: 'Do not ask the provider whether it is one.' },
    tenantFlag,
    urlFlag,
  ],
  run: ({ flags }) =>
    operate(flags, async (world) => {
      const tenant = await chooseTenant(world, flags)
      const callback = callbackOf(tenant.domain, flags)
      const issuer = flags['issuer'] as string
      const problem = issuerProblem(issuer)
      if (problem) throw new UsageError(`--issuer ${problem}`)
      const clientSecret = await secretIn(flags['client-secret-file'] as string | undefined)
      const wanted = { issuer, clientId: flags['client-id'] as string, clientSecret }
      if (wanted.clientId === '') throw new UsageError('--client-id is empty')
      const wrong = flags['unchecked'] ? null : await checkProvider(wanted)
      if (wrong) throw new UsageError(`${issuer} did not answer as a provider does (${wrong}); see --unchecked`)
      const cause = operatorCause(tenant, 'tenant oidc set')
      await transact(world.db, (tx) => setOidc(tx, world, cause, wanted))
      print(`People of ${tenant.domain} can sign in with ${issuer}. Tell it to send them back to:\n${callback}`)
      return 0
    }),
}

export const tenantOidcShow: Command = {
  name: 'tenant oidc show',
  positionals: [],
  summary: 'Show the OpenID Connect provider of a tenant.',
  settings: dataSettings,
  flags: [tenantFlag, urlFlag, { name: 'json', value: null, help: 'Print JSON.' }],
  run: ({ flags }) =>
    operate(flags, async (world) => {
      const tenant = await chooseTenant(world, flags)
      const found = await findOidc(world, world.db, operatorCause(tenant, 'tenant oidc show'))
      const callback = callbackOf(tenant.domain, flags)
      const hasSecret = Buffer.isBuffer(found?.sealedClientSecret)
      if (flags['json'])
        printJson(found && { issuer: found.issuer, clientId: found.clientId, hasSecret, redirectUri: callback })
      else if (!found) print(`${tenant.domain} has no OpenID Connect provider.`)
      else
        print(
          [
            `Issuer         ${found.issuer}`,
            `Client ID      ${found.clientId}`,
            `Client Secret  ${hasSecret ? 'kept, sealed' : 'none'}`,
            `Redirect URI   ${callback}`,
            `Changed        ${found.updatedAt.toISOString()}`,
          ].join('\n'),
        )
      return 0
    }),
}

export const tenantOidcRemove: Command = {
  name: 'tenant oidc remove',
  positionals: [],
  summary: 'Let nobody sign in with the OpenID Connect provider any longer. Sessions go on.',
  settings: dataSettings,
  flags: [tenantFlag],
  run: ({ flags }) =>
    operate(flags, async (world) => {
      const tenant = await chooseTenant(world, flags)
      const cause = operatorCause(tenant, 'tenant oidc remove')
      if (!(await transact(world.db, (tx) => removeOidc(tx, world, cause))))
        throw new UsageError(`${tenant.domain} has no OpenID Connect provider`)
      print(`Removed the OpenID Connect provider of ${tenant.domain}.`)
      return 0
    }),
}
