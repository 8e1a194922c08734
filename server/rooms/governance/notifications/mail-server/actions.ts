import { isIP } from 'node:net'
import type { May } from '#authority/proof.ts'
import { mayCallBy } from '#kernel/outgoing/addresses.ts'
import { forbiddenHost } from '#kernel/outgoing/lookup.ts'
import { outgoingRulesOf } from '#kernel/outgoing/rules-of.ts'
import { type FieldViolation, invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { alert, causeOf, record } from '#rooms/foundation/systemlog/index.ts'
import { mailServerProblems, passwordFor } from './decide.ts'
import type { KeptMailServer, MailServer } from './mail-server.ts'
import { openMailServer, sealMailServer } from './seal.ts'
import { deleteMailServer, findMailServer, putMailServer } from './store.ts'

const refuseBesideOperators = ({ settings }: Call): void => {
  if (settings.mail)
    throw new Refusal('MAIL_SET_BY_OPERATOR', 'The mail server is set by the operator of this server (--smtp-host).')
}

/**
 * Sets the mail server of an organization. It is called at public addresses, and where the operator allows it: no setting of
 * a tenant reaches other machines in the operator's network.
 */
export async function setMailServer(
  tx: Tx,
  call: May<'notifications.set-mail-server'>,
  sent: MailServer,
): Promise<KeptMailServer> {
  refuseBesideOperators(call)
  const before = await findMailServer(tx, call.tenant.id)
  const wanted = { ...sent, host: sent.host.trim(), ca: sent.ca.trim() }
  const password = passwordFor(wanted, before && openMailServer(call, call.tenant.id, before.sealed))
  const problems: FieldViolation[] = mailServerProblems(wanted)
  if (typeof password !== 'string') problems.push(password)
  const { host } = wanted
  if (isIP(host) !== 0 && !mayCallBy(outgoingRulesOf(call, call.tenant.id))(host, host))
    problems.push({ field: 'host', description: `is not allowed. ${forbiddenHost(host)}` })
  if (problems.length > 0 || typeof password !== 'string')
    throw invalid(...(problems as [FieldViolation, ...FieldViolation[]]))
  const kept: KeptMailServer = {
    sealed: sealMailServer(call, call.tenant.id, { ...wanted, password }),
    updatedBy: call.actor.userId,
    updatedAt: call.now(),
  }
  await putMailServer(tx, call.tenant.id, kept)
  const { port, security, user, fromAddress } = wanted
  const data = { host, port, security, user, fromAddress, isNewPassword: sent.password !== '' }
  await recordAlert(tx, call, 'update', `Set the mail server ${host}`, data)
  return kept
}

export async function removeMailServer(tx: Tx, call: May<'notifications.set-mail-server'>): Promise<void> {
  refuseBesideOperators(call)
  if (!(await deleteMailServer(tx, call.tenant.id)))
    throw new Refusal('MAIL_SERVER_NOT_FOUND', 'There is no mail server.')
  await recordAlert(tx, call, 'delete', 'Removed the mail server', {})
}

/** From now on, names of people and apps leave the server at another place. */
async function recordAlert(
  tx: Tx,
  call: Call,
  activity: 'update' | 'delete',
  message: string,
  data: object,
): Promise<void> {
  const touched = [{ type: 'mail_server', id: call.tenant.publicId, data }]
  await record(tx, call, call, alert(causeOf(call), activity, message, touched))
}
