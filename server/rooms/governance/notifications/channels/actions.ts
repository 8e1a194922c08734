import { randomInt } from 'node:crypto'
import type { May } from '#authority/proof.ts'
import { isMailAddress } from '#kernel/mail-settings.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { isSameMac } from '#kernel/seals.ts'
import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import { postTest } from '../chat/actions.ts'
import { type Channel, channels } from '../kinds.ts'
import { type Delivered, deliver } from '../mail/deliver.ts'
import { placeOf } from '../place.ts'
import { findSender } from '../sender/store.ts'
import type { Notice } from '../templates/notice.ts'
import { takeTest } from '../test-budget.ts'
import { type CurrentChannel, listCurrent } from './current.ts'
import { isConfirmed, plainCode, whyClosed } from './decide.ts'
import { confirmTest, countWrongCode, listTests, lockTest, putTest } from './store.ts'

const channelTitles: Readonly<Record<Channel, string>> = {
  email: 'email',
  slack: 'Slack',
  teams: 'Microsoft Teams',
}

async function getCurrent(call: Call, name: string): Promise<CurrentChannel> {
  const channel = channels.find((each) => each === name)
  if (!channel) throw new Refusal('CHAT_NOT_FOUND', `There is no channel ${name}: there are ${channels.join(', ')}.`)
  const current = (await listCurrent(call, call.tenant.id)).find((each) => each.channel === channel)
  if (!current)
    throw new Refusal('CHANNEL_NOT_CONFIGURED', `There is no ${channelTitles[channel]} yet: set it up first.`)
  return current
}

/** Whether somebody confirmed that messages arrive by a channel, with the settings that are in force. */
export async function isChannelConfirmed(
  world: Pick<World, 'db' | 'seals' | 'settings'>,
  tenantId: number,
): Promise<boolean> {
  const [current, tests] = await Promise.all([listCurrent(world, tenantId), listTests(world.db, tenantId)])
  return current.some(({ channel, version }) =>
    isConfirmed(tests.find((each) => each.channel === channel) ?? null, version),
  )
}

const codeMac = ({ seals, tenant }: Call, { channel, version }: CurrentChannel, code: string): Buffer =>
  seals.mac('channel test', String(tenant.id), channel, version, code)

const noticeOf = ({ actor, tenant }: Call, { channel }: CurrentChannel, code: string): Notice => ({
  subject: 'Test message from Bailiwick',
  title: 'Test message from Bailiwick',
  lines: [
    `${actor.name} sent this message to test whether notifications by ${channelTitles[channel]} arrive.`,
    'To confirm that it arrived, enter this code in the console, under Organization, Email and chat, within one hour.',
  ],
  quote: null,
  facts: [{ name: 'Code', value: `${code.slice(0, 3)} ${code.slice(3)}` }],
  items: [],
  more: 0,
  action: {
    label: 'Open the settings',
    url: `${placeOf(tenant).origin}/settings/organisation-notifications`,
  },
  why: channel === 'email' ? 'You receive this because you sent a test message to yourself.' : '',
})

async function send(call: Call, current: CurrentChannel, notice: Notice): Promise<Delivered> {
  if (current.channel !== 'email') return postTest(call, current.channel, notice)
  if (!current.mail) throw new Error('email without a mail server')
  const { actor, tenant } = call
  const sender = await findSender(call.db, tenant.id)
  return deliver(current.mail, { sender, tenant, now: call.now() }, { name: actor.name, address: actor.email }, notice)
}

/**
 * Sends a message with a code: by mail to the caller and to nobody else, in a chat to its channel. Only whoever reads it can
 * confirm that it arrived.
 */
export async function testChannel(call: May<'notifications.change'>, name: string): Promise<Delivered> {
  const current = await getCurrent(call, name)
  const { channel, version: configuration } = current
  if (channel === 'email' && !isMailAddress(call.actor.email))
    throw new Refusal('EMAIL_ADDRESS_MISSING', 'You have no email address that the message could be sent to.')
  await takeTest(call)
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0')
  const sent = await send(call, current, noticeOf(call, current, code))
  const reply = sent.reply === '' ? sent.message : `${sent.message} It replied: ${sent.reply}`
  await transact(call.db, async (tx) => {
    await putTest(tx, call.tenant.id, {
      channel,
      configuration,
      codeMac: sent.isSent ? codeMac(call, current, code) : null,
      testedBy: call.actor.userId,
      testedAt: call.now(),
      isAccepted: sent.isSent,
      reply,
    })
    const words = `${sent.isSent ? 'Sent' : 'Could not send'} a test message by ${channelTitles[channel]}`
    await recordChange(tx, call, 'read', words, [touched(channel, { success: sent.isSent, reply })])
  })
  return { ...sent, message: reply }
}

const touched = (channel: Channel, data: object) => ({
  type: 'notification_channel',
  id: channel,
  name: channelTitles[channel],
  data,
})

/** Confirms with the code of the last test message that it arrived. */
export async function confirmChannel(call: May<'notifications.change'>, name: string, typed: string): Promise<void> {
  const current = await getCurrent(call, name)
  const { channel, version: configuration } = current
  const problem = await transact(call.db, async (tx) => {
    const test = await lockTest(tx, call.tenant.id, channel)
    const closed = whyClosed(test, configuration, call.now())
    if (closed !== null) return closed
    if (!isSameMac(test?.codeMac ?? null, codeMac(call, current, plainCode(typed)))) {
      await countWrongCode(tx, call.tenant.id, channel)
      return 'is not the code of the last test message'
    }
    await confirmTest(tx, call.tenant.id, { channel, configuration, by: call.actor.userId, at: call.now() })
    const words = `Confirmed that messages by ${channelTitles[channel]} arrive`
    await recordChange(tx, call, 'update', words, [touched(channel, {})])
    return null
  })
  if (problem !== null) throw invalid({ field: 'code', description: problem })
}
