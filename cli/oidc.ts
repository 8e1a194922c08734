import { readFile } from 'node:fs/promises'
import { transact } from '#kernel/sql.ts'
import { whyUnreadable } from '#kernel/unreadable.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { checkProvider, findOidc, issuerProblem, removeOidc, setOidc } from '#rooms/identity/sessions/index.ts'
import { type FlagValues, UsageError } from '#server/settings/config.ts'
import type { Run } from './command.ts'
import { chooseTenant, operate } from './operate.ts'
import { print, printJson } from './print.ts'
import { tenantUrl } from './tenant-url.ts'

const callbackOf = (domain: string, flags: FlagValues): string => `${tenantUrl(domain, flags)}/auth/v1/oidc/callback`

/** From a file, never from an argument: everyone on the machine sees those. */
async function secretIn(file: string | undefined): Promise<string | null> {
  if (file === undefined) return null
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(whyUnreadable(file, error))
  })
  const secret = text.replace(/\r?\n$/, '')
  if (secret === '' || secret.length > 4096) throw new UsageError(`${file} contains no client secret`)
  return secret
}

export const tenantOidcSet: Run = ({ flags }) =>
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
    if (wrong)
      throw new UsageError(`${issuer} does not respond like an OpenID Connect provider (${wrong}); see --unchecked`)
    const cause = operatorCause(tenant, 'tenant oidc set')
    await transact(world.db, (tx) => setOidc(tx, world, cause, wanted))
    print(`People of ${tenant.domain} can sign in with ${issuer}. Set this redirect URI at the provider:\n${callback}`)
    return 0
  })

export const tenantOidcShow: Run = ({ flags }) =>
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
          `Client Secret  ${hasSecret ? 'stored, encrypted' : 'none'}`,
          `Redirect URI   ${callback}`,
          `Changed        ${found.updatedAt.toISOString()}`,
        ].join('\n'),
      )
    return 0
  })

export const tenantOidcRemove: Run = ({ flags }) =>
  operate(flags, async (world) => {
    const tenant = await chooseTenant(world, flags)
    const cause = operatorCause(tenant, 'tenant oidc remove')
    if (!(await transact(world.db, (tx) => removeOidc(tx, world, cause))))
      throw new UsageError(`${tenant.domain} has no OpenID Connect provider`)
    print(`Removed the OpenID Connect provider of ${tenant.domain}.`)
    return 0
  })
