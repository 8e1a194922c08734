import { described, flag, int32, list, listOf, message, oneOf, text, timestamp } from '#kernel/wire.ts'
import { addressOf, type TenantHost } from '#rooms/foundation/tenants/index.ts'
import { hostStates, reachProblem, shortcomingOf, stateOf } from './names/decide.ts'
import { type Use, useKinds } from './uses/decide.ts'

export const AddressMessage = message(
  'bailiwick.v1.Address',
  {
    host: described(text(), 'The host name, which identifies it.'),
    address: described(text(), 'As browsers write it.'),
    state: described(
      oneOf(hostStates),
      'NEW: works, and is not used for links yet. CURRENT. OLD: still works, and sends browsers to the current one. ENDED: no longer works, and is kept from other tenants for 90 days.',
    ),
    createdAt: timestamp(),
    reachedAt: described(timestamp(), 'When a browser opened the one-time address of this name on this server.'),
    reachProblem: described(text(), 'What was wrong with that request; empty if nothing was.'),
    shortcoming: described(text(), 'What people cannot do at this address; empty if they can do everything.'),
    signedInAt: described(
      timestamp(),
      'When a Super Administrator first signed in there with a passkey or the identity provider.',
    ),
    replacedAt: timestamp(),
    endsAt: timestamp(),
    endedAt: timestamp(),
    certificateUpdatedAt: described(timestamp(), 'When its certificate was uploaded; not set if it has none.'),
  },
  'A host name of the tenant.',
)

const CertificateMessage = message(
  'bailiwick.v1.AddressCertificate',
  {
    host: text(),
    names: described(list(text()), 'The names that it is for.'),
    issuer: text(),
    validFrom: timestamp(),
    validTo: timestamp(),
  },
  'The certificate of a host. Its key is in no response.',
)
export const certificatesField = listOf(CertificateMessage)

export const addressView = (row: TenantHost, currentHost: string) => ({
  host: row.host,
  address: addressOf(row),
  state: stateOf(row, currentHost),
  createdAt: row.createdAt,
  reachedAt: row.reachedAt,
  reachProblem: reachProblem({ ...row, origin: addressOf(row) }),
  shortcoming: shortcomingOf({ ...row, origin: addressOf(row) }),
  signedInAt: row.signedInAt,
  replacedAt: row.replacedAt,
  endsAt: row.endsAt,
  endedAt: row.endedAt,
  certificateUpdatedAt: row.certificateAt,
})

const UseMessage = message(
  'bailiwick.v1.AddressUse',
  {
    kind: oneOf(useKinds),
    count: described(int32(), 'How many there are. 0 for LINKS.'),
    effect: described(text(), 'What becomes of them.'),
    action: described(text(), 'What somebody has to do before the address ends; empty if nothing.'),
  },
  'Something that depends on an address.',
)
export const usesField = described(listOf(UseMessage), 'What depends on it.')
export const usesView = (uses: readonly Use[]) => uses.map((use) => ({ ...use }))

export const RequestMessage = message('bailiwick.v1.AddressRequest', {
  address: described(text(), 'How the request was addressed, as this server sees it.'),
  sourceAddress: described(text(), 'Where it came from, as this server sees it.'),
  forwardedFor: described(text(), 'The header X-Forwarded-For, as it was sent.'),
  forwardedProto: described(text(), 'The header X-Forwarded-Proto, as it was sent.'),
  forwardedHost: described(text(), 'The header X-Forwarded-Host, which is not used.'),
  isForwardingUsed: described(
    flag(),
    'Whether the source address was taken from X-Forwarded-For: the proxy is trusted.',
  ),
  problems: described(list(text()), 'What is wrong, for the operator; empty if nothing is.'),
})
