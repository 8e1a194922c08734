import type { Tenancy } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { connectorCause } from '../cause.ts'
import type { ProvisioningKind } from '../connector.ts'
import { lockConnector } from '../tasks/store.ts'
import { chooseConnector, reportersOf } from './carrier.ts'
import { placing } from './decide.ts'
import { endTask, replacedWhy, rootOf } from './end.ts'
import { findKeptGrant } from './store/kept-grants.ts'
import { findAccountsOf, findEntitlement } from './store/objects.ts'
import { listProvisioners, type Provisioner } from './store/provisioners.ts'
import { insertProvisioningTask, listOpenOf, setAwaited } from './store/tasks.ts'
import { canCreateAccounts, canDeleteAccounts } from './support.ts'

type Doing = World & { tenant: Tenancy }
export type Wish = {
  kind: 'grant' | 'revoke'
  appId: string
  entitlementId: string
  accountId: string
  /** The user whose account it will be, if `accountId` is empty because there is none yet. */
  newAccountOf?: string
  isAwaited: boolean
  askedBy: string
  /** The connector that was chosen for it, rather than by the entitlement. */
  connectorId?: string
  /**
   * Whether a connector has to do it; people do it if none can. Otherwise, in an app without a connector, recording it is
   * enough.
   */
  isRequired?: boolean
}
export type Placed =
  /** `rootId` identifies it when it is over: see names.ts. */
  | { is: 'placed'; connectorId: string; connectorName: string; rootId: string }
  /** Nothing was placed, and why: people have to do it. */
  | { is: 'impossible'; connectorId: string; why: string }

const operation = 'provisioning'

type Impossible = Extract<Placed, { is: 'impossible' }>
/** Something that a connector can do; nothing is placed yet. */
export type Ready = { is: 'ready'; wish: Wish; connector: Provisioner; createsAccount: boolean }

/** Whether a connector can grant or remove access, and which; null if the app has none. Locks that connector. */
export async function prepareWish(tx: Tx, doing: Doing, wish: Wish): Promise<Ready | Impossible | null> {
  const { appId, accountId, kind } = wish
  const tenantId = doing.tenant.id
  const entitlement = await findEntitlement(tx, tenantId, wish)
  const chosenId = wish.connectorId || (kind === 'grant' ? entitlement?.grantedBy : entitlement?.revokedBy)
  const all = await listProvisioners(tx, tenantId, appId)
  const [first] = all
  if (!first) return null
  if (!entitlement) return { is: 'impossible', connectorId: first.id, why: 'The entitlement was deleted.' }
  const chosen = chooseConnector(all, entitlement, chosenId ?? '')
  const { connector } = chosen
  const impossible = (why: string): Impossible => ({ is: 'impossible', connectorId: connector?.id ?? first.id, why })
  if (chosen.why !== null || !connector) return impossible(chosen.why ?? '')
  if (!(await lockConnector(tx, tenantId, connector.id))) return impossible('The connector was deleted.')
  const { newAccountOf: name } = wish
  const newAccount = name === undefined ? null : { name, isDeleted: false, externalId: '', isKnown: false }
  const account = newAccount ?? (await findAccountsOf(tx, tenantId, appId, [accountId]))[0]
  if (!account || account.isDeleted) return impossible('The account was deleted.')
  if (kind === 'revoke' && (await findKeptGrant(tx, tenantId, wish))?.isFixed)
    return impossible('The app does not allow this access to be removed directly. Remove what grants it in the app.')
  if (account.externalId === '') {
    if (kind === 'revoke') return impossible('It is not known whether the account exists in the app.')
    if (!canCreateAccounts(connector))
      return impossible(
        `${account.name} has no account in the app, and the connector ${connector.displayName} does not support creating accounts.`,
      )
  } else if (!account.isKnown)
    return impossible(`The connector ${connector.displayName} did not report this account in its last sync.`)
  return { is: 'ready', wish, connector, createsAccount: account.externalId === '' }
}

/** Has a connector do what it was found able to do; if the account is not in the app yet, it is created first. */
export async function placeReady(
  tx: Tx,
  doing: Doing,
  { wish, connector, createsAccount }: Ready,
): Promise<Extract<Placed, { is: 'placed' }>> {
  const account = { ...wish, kind: 'create_account', entitlementId: '', isAwaited: false } as const
  if (createsAccount) await place(tx, doing, connector, account)
  return place(tx, doing, connector, wish)
}

/** Has a connector grant or remove access. */
export async function placeWish(tx: Tx, doing: Doing, wish: Wish): Promise<Placed | null> {
  const found = await prepareWish(tx, doing, wish)
  return found?.is === 'ready' ? placeReady(tx, doing, found) : found
}

type Wanted = Omit<Wish, 'kind'> & { kind: ProvisioningKind }

/** Under the lock of the connector. */
async function place(
  tx: Tx,
  doing: Doing,
  { id: connectorId, displayName }: Provisioner,
  wish: Wanted,
): Promise<Extract<Placed, { is: 'placed' }>> {
  const { appId, entitlementId, accountId, kind, isAwaited, askedBy } = wish
  const tenantId = doing.tenant.id
  const ofAccount = await listOpenOf(tx, tenantId, wish)
  const open = ofAccount.filter((task) => task.entitlementId === entitlementId)
  const { cancels, joins } = placing(kind, open)
  const cause = connectorCause(doing.tenant, { displayName }, operation)
  for (const task of open)
    if (cancels.some(({ id }) => id === task.id))
      await endTask(tx, doing, cause, task, {
        state: 'cancelled',
        error: replacedWhy,
      })
  const joined = open.find(({ id }) => id === joins?.id)
  if (joined) {
    if (isAwaited && !joined.isAwaited) await setAwaited(tx, tenantId, joined, true)
    return { is: 'placed', connectorId: joined.connectorId, connectorName: displayName, rootId: rootOf(joined) }
  }
  const id = doing.newId()
  await insertProvisioningTask(tx, tenantId, {
    id,
    connectorId,
    appId,
    entitlementId,
    accountId,
    kind,
    isAwaited,
    askedBy,
    state: 'queued',
    error: '',
    retryOf: '',
    retries: 0,
    at: doing.now(),
  })
  return { is: 'placed', connectorId, connectorName: displayName, rootId: id }
}

/** Has an account deleted in its app, if the connector's settings say so. Returns whether it will be. */
export async function placeDeletion(
  tx: Tx,
  doing: Doing,
  { appId, accountId, askedBy }: Pick<Wish, 'appId' | 'accountId' | 'askedBy'>,
): Promise<boolean> {
  const tenantId = doing.tenant.id
  const [account] = await findAccountsOf(tx, tenantId, appId, [accountId])
  if (!account || account.isDeleted || !account.isKnown) return false
  const connector = reportersOf(await listProvisioners(tx, tenantId, appId), account.connectorIds).find(
    (each) => each.deletesAccounts && !each.isDisabled && canDeleteAccounts(each, account.typeId),
  )
  if (!connector || !(await lockConnector(tx, tenantId, connector.id))) return false
  const wish = { appId, entitlementId: '', accountId, isAwaited: false, askedBy } as const
  await place(tx, doing, connector, { ...wish, kind: 'delete_account' })
  return true
}
