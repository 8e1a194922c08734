import { type OutgoingRules, strictRules } from '#kernel/outgoing/addresses.ts'
import { openOutgoing } from '#kernel/outgoing/send.ts'
import { plural } from '#kernel/plural.ts'
import { adviceOnScim } from '../scim-connection/advice.ts'
import type { ScimAccess } from '../scim-connection/connection.ts'
import { serviceOf } from './protocol/capabilities.ts'
import { scimClient, usualLimits } from './protocol/client.ts'
import { ScimFailed } from './protocol/failed.ts'
import { attribute, type Json, listOf } from './protocol/json.ts'

/** The result of checking whether an app can be read. */
export type Checked = {
  isWorking: boolean
  /** What was found, or what failed. */
  message: string
  /** What to do about it; empty if it works. */
  advice: string
  userCount: number
  groupCount: number
  /** Whether members can be added and removed. */
  canProvision: boolean
}

const limits = { ...usualLimits, timeoutMs: 10_000, triesMax: 1 }

/** Requests an app's configuration, a user and a group. Nothing is changed. */
export async function checkApp(
  access: ScimAccess,
  rules: OutgoingRules = strictRules,
  signal?: AbortSignal,
): Promise<Checked> {
  const outgoing = openOutgoing(rules)
  const client = scimClient(access, outgoing, { limits, ...(signal && { signal }) })
  try {
    const service = serviceOf(await findConfig(client))
    const userCount = countIn(await client.get('/Users?startIndex=1&count=1'), '/Users')
    const groupCount = countIn(await client.get('/Groups?startIndex=1&count=1'), '/Groups')
    const only = service.canPatch ? '' : ' It does not support PATCH, so access can only be read.'
    return {
      isWorking: true,
      message: `The app answers: ${plural(userCount, 'user')}, ${plural(groupCount, 'group')}.${only}`,
      advice: '',
      userCount,
      groupCount,
      canProvision: service.canPatch,
    }
  } catch (error) {
    if (!(error instanceof ScimFailed)) throw error
    const none = { isWorking: false, userCount: 0, groupCount: 0, canProvision: false }
    return { ...none, message: error.message, advice: adviceOnScim(error.message) }
  } finally {
    outgoing.close()
  }
}

/** Not every app has it; if the token is refused there, it is refused at /Users, too. */
export async function findConfig(client: Pick<ReturnType<typeof scimClient>, 'get'>): Promise<Json | null> {
  try {
    return await client.get('/ServiceProviderConfig')
  } catch (error) {
    if (error instanceof ScimFailed && error.is.status >= 400 && error.is.status < 500 && error.is.status !== 429)
      return null
    throw error
  }
}

function countIn(page: Json, path: string): number {
  const resources = listOf(page, 'Resources', `GET ${path}`)
  const total = Number(attribute(page, 'totalResults') ?? Number.NaN)
  if (resources === null && !Number.isInteger(total))
    throw new ScimFailed(`GET ${path}: the reply is not a SCIM list. Check the base URL: it usually ends in /scim/v2.`)
  return Number.isInteger(total) && total >= 0 ? Math.min(total, 2_147_483_647) : (resources?.length ?? 0)
}
