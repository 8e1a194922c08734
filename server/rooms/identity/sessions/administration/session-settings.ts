import { route } from '#authority/route.ts'
import { addressCheck, blockOf } from '#kernel/cidrs.ts'
import { fieldsToChange, updatable } from '#kernel/masks.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import {
  described,
  duration,
  flag,
  int32,
  leftOut,
  list,
  message,
  nested,
  neverSet,
  oneOf,
  required,
  struct,
  text,
} from '#kernel/wire.ts'
import { causeOf } from '#rooms/foundation/systemlog/index.ts'
import {
  findSourceLimits,
  noLimits,
  type SourceLimit,
  type SourceLimits,
  setSourceLimits,
  sourceCheck,
  sourceNames,
  sourceOf,
} from '#rooms/identity/sources/index.ts'
import { findPolicy } from '../current-policy.ts'
import { forget } from '../end.ts'
import { setPolicy } from '../policy/actions.ts'
import { defaultPolicy, policyProblems } from '../policy/policy.ts'

const blocksMax = 100
const cidrLength = 100

const SourceMessage = message(
  'settings.v1.SessionSettingsSource',
  {
    enabled: described(flag(), 'Whether only these addresses are allowed; otherwise, all are.'),
    sourceCidr: described(list(text({ maxLength: cidrLength }), blocksMax), 'CIDR blocks, or single addresses.'),
  },
  'From which addresses requests are allowed.',
)
const source = (of: string) => described(nested(SourceMessage), of)

const noExternalClients = 'Programs get access by API credentials, authorized devices and federation instead.'

const SettingsMessage = message(
  'settings.v1.SessionSettings',
  {
    maxSessionLength: described(
      duration(),
      'Sessions of the console end after this time at the latest: sessionTime of the sign-in policy.',
    ),
    ssoUserSource: source('For sessions of the console of Basic Users.'),
    ssoAdminSource: source('For sessions of the console of users with more permissions than Basic Users.'),
    pccUserSource: source('For access tokens of people who may do what Basic Users may.'),
    pccAdminSource: source('For access tokens of people with more permissions than Basic Users.'),
    connectorSource: source('For connectors.'),
    externalClientSource: leftOut(neverSet(nested(SourceMessage), noExternalClients)),
    externalClientsEnabled: neverSet(flag(), noExternalClients),
    clientIdMetadataDocumentPolicy: neverSet(
      oneOf([
        'CLIENT_ID_METADATA_DOCUMENT_POLICY_UNSPECIFIED',
        'CLIENT_ID_METADATA_DOCUMENT_POLICY_ALLOW_ALL',
        'CLIENT_ID_METADATA_DOCUMENT_POLICY_REQUESTABLE',
        'CLIENT_ID_METADATA_DOCUMENT_POLICY_ALLOWLIST_ONLY',
      ]),
      noExternalClients,
    ),
    clientIdApprovalRequestPolicyId: neverSet(text(), noExternalClients),
  },
  'How long sessions last, and from which addresses people and connectors can use the service. Credentials of service principals have their own allowed addresses.',
)
const settingsReply = (name: string) => message(`settings.v1.${name}`, { sessionSettings: nested(SettingsMessage) })

const settingsView = (sessionSeconds: number, limits: SourceLimits) => ({
  maxSessionLength: sessionSeconds,
  ...limits,
  externalClientSource: null,
  externalClientsEnabled: false,
  clientIdMetadataDocumentPolicy: 'CLIENT_ID_METADATA_DOCUMENT_POLICY_UNSPECIFIED' as const,
  clientIdApprovalRequestPolicyId: '',
})

/** The caller must be able to continue from their present address: in the way they came, and in the console. */
function refuseLockingOut(call: Call, limits: SourceLimits): void {
  const name = sourceOf(call.actor.sessionId === '' ? 'pcc' : 'sso', call.actor)
  if (!sourceCheck(limits[name])(call.sourceAddress))
    throw new Refusal(
      'POLICY_LOCKS_OUT',
      `You would no longer be served from ${call.sourceAddress}: add it to ${name}.sourceCidr.`,
    )
}

const status = (code: number, said: string) => ({ code, message: said, details: [] })

/** The published settings of sessions: a part of the sign-in policy, and the addresses that the organization allows. */
export const sessionSettingsRoutes = [
  route({
    id: 'settings.v1.SessionSettingsService.Get',
    at: 'GET /api/v1/settings/session',
    summary: 'Get how long sessions of the console last, and from which addresses the service can be used.',
    rule: 'sign-in-policy.read',
    reply: settingsReply('GetSessionSettingsResponse'),
    async handle(call) {
      const { sessionSeconds } = await findPolicy(call, call.db, call)
      return { sessionSettings: settingsView(sessionSeconds, await findSourceLimits(call, call.db, call)) }
    },
  }),
  route({
    id: 'settings.v1.SessionSettingsService.Update',
    at: 'POST /api/v1/settings/session',
    summary:
      'Change how long sessions of the console last, and from which addresses the service can be used. It is refused if you could no longer use it from your own address.',
    rule: 'sign-in-policy.change',
    body: message('settings.v1.UpdateSessionSettingsRequest', {
      sessionSettings: required(updatable(SettingsMessage)),
      updateMask: text(),
    }),
    reply: settingsReply('UpdateSessionSettingsResponse'),
    async handle(call, { body: { sessionSettings, updateMask } }) {
      const names = fieldsToChange(sessionSettings, updateMask, ['maxSessionLength', ...sourceNames])
      const { ended, settings } = await transact(call.db, async (tx) => {
        const policy = await findPolicy(call, tx, call)
        const before = await findSourceLimits(call, tx, call)
        const changed = sourceNames.filter((name) => names.has(name))
        const limits: SourceLimits = {
          ...before,
          ...Object.fromEntries(changed.map((name) => [name, limitIn(sessionSettings[name]) ?? noLimits[name]])),
        }
        if (changed.length > 0) {
          await setSourceLimits(tx, call, causeOf(call), limits)
          refuseLockingOut(call, limits)
        }
        const sessionSeconds = names.has('maxSessionLength')
          ? (sessionSettings.maxSessionLength ?? defaultPolicy.sessionSeconds)
          : policy.sessionSeconds
        const after = settingsView(sessionSeconds, limits)
        if (sessionSeconds === policy.sessionSeconds) return { ended: [], settings: after }
        // No session is idle for longer than its lifetime.
        const wanted = { ...policy, sessionSeconds, idleSeconds: Math.min(policy.idleSeconds, sessionSeconds) }
        const [problem] = policyProblems(wanted)
        if (problem) throw invalid({ ...problem, field: 'sessionSettings.maxSessionLength' })
        return { ended: await setPolicy(tx, call, causeOf(call), wanted), settings: after }
      })
      forget(call, ...ended)
      return { sessionSettings: settings }
    },
  }),
  route({
    id: 'settings.v1.SessionSettingsService.TestSourceIP',
    at: 'POST /api/v1/settings/session/test-source-ip',
    summary: 'Check whether an address is in one of several CIDR blocks. Without sourceIp, it is your own address.',
    rule: 'sign-in-policy.read',
    body: message('settings.v1.TestSourceIPRequest', {
      allowCidr: list(text({ maxLength: cidrLength }), blocksMax),
      sourceIp: text({ maxLength: cidrLength }),
    }),
    reply: message('settings.v1.TestSourceIPResponse', {
      allowed: flag(),
      checkedIp: text(),
      details: described(
        nested(message('settings.v1.TestSourceIPDetails', { code: int32(), message: text(), details: list(struct()) })),
        'The reason, with a code of gRPC: 0 if the address is allowed, 7 if it is not, 3 if something is not valid.',
      ),
    }),
    async handle(call, { body }) {
      const checkedIp = body.sourceIp.trim() === '' ? call.sourceAddress : body.sourceIp.trim()
      const wrong = body.allowCidr.find((cidr) => !blockOf(cidr))
      if (wrong !== undefined)
        return { allowed: false, checkedIp, details: status(3, `${wrong} is not a CIDR block or an address.`) }
      if (checkedIp.includes('/') || !blockOf(checkedIp))
        return { allowed: false, checkedIp, details: status(3, `${checkedIp} is not an IP address.`) }
      const allowed = body.allowCidr.length > 0 && addressCheck(body.allowCidr)(checkedIp)
      const details = allowed
        ? status(0, `${checkedIp} is in ${body.allowCidr.find((cidr) => addressCheck([cidr])(checkedIp))}.`)
        : status(7, `${checkedIp} is in none of the blocks.`)
      return { allowed, checkedIp, details }
    },
  }),
]

const limitIn = (sent: SourceLimit | null): SourceLimit | null =>
  sent && { enabled: sent.enabled, sourceCidr: [...new Set(sent.sourceCidr.map((each) => each.trim()))] }
