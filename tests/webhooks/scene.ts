import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { ask, eventually, type Json, type Reply } from '../fixture/access.ts'
import type { TestServerOptions } from '../fixture/server.ts'
import { prepare } from '../grants/scene.ts'
import { prepareTasks, type TaskScene } from '../tasks/scene.ts'
import { type Receiver, startReceiver } from './receiver.ts'

export type DeliverySeen = Json & {
  id: string
  state: string
  attempts: number
  error: string
  outcome: string
  nextAttemptAt: string | null
  expiresAt: string
  requestBody: string
  attemptList: (Json & { number: number; status: number; error: string; replyBody: string; isCallback: boolean })[]
}

export type WebhookScene = TaskScene & {
  receiver: Receiver
  webhook(more?: object): Promise<string>
  test(id: string): Promise<string>
  deliveries(id: string): Promise<DeliverySeen[]>
  delivery(id: string, deliveryId: string): Promise<DeliverySeen>
  /** Waits until a delivery has a state; those that wait for their next attempt are hurried. */
  until(id: string, deliveryId: string, state: string): Promise<DeliverySeen>
  /** Sends a callback to the address that a delivery named. */
  callBack(url: string, body: unknown): Promise<Reply>
}

export const flags = { 'outgoing-http': true, 'outgoing-allow': ['127.0.0.1'] }

/** A server that may call this machine, and a receiver on it; for the tests of a file. */
export function prepareWebhooks(options: TestServerOptions = {}): WebhookScene {
  const scene = prepareTasks(
    prepare({ ...options, flags: { ...flags, 'log-requests': 'all', ...options.flags } }),
  ) as WebhookScene
  beforeAll(async () => {
    scene.receiver = await startReceiver()
  })
  beforeEach(() => {
    scene.receiver.received.length = 0
    scene.receiver.does = () => [200]
  })
  afterAll(() => scene.receiver?.close())
  scene.webhook = async (more = {}) => {
    const reply = await scene.post('/api/v1/webhooks', { displayName: 'Tickets', url: scene.receiver.url, ...more })
    expect(reply.status, reply.text).toBe(200)
    return (reply.json['webhook'] as { id: string }).id
  }
  scene.test = async (id) => {
    const reply = await scene.post(`/api/v1/webhooks/${id}/test`, {})
    expect(reply.status, reply.text).toBe(200)
    return (reply.json['webhook'] as { id: string }).id
  }
  scene.deliveries = async (id) => (await scene.all(`/api/v1/webhooks/${id}/deliveries`)) as DeliverySeen[]
  scene.delivery = async (id, deliveryId) => {
    const reply = await scene.get(`/api/v1/webhooks/${id}/deliveries/${deliveryId}`)
    expect(reply.status, reply.text).toBe(200)
    return reply.json['delivery'] as DeliverySeen
  }
  scene.until = async (id, deliveryId, state) => {
    const name = `WEBHOOK_STATE_${state}`
    const isSo = await eventually(async () => {
      const { state: now } = await scene.delivery(id, deliveryId)
      if (now === name) return true
      await scene.server.db`
        update webhook_deliveries set due_at = now() where delivery_id = ${deliveryId} and state = 'error'`
      return false
    })
    const found = await scene.delivery(id, deliveryId)
    expect(isSo ? name : JSON.stringify(found)).toBe(name)
    return found
  }
  scene.callBack = (url, body) =>
    ask(scene.server, new URL(url).pathname, { method: 'POST', body: body as object, host: new URL(url).host })
  return scene
}

export const callbackIn = ({ body }: { body: Json }): string => body['callbackUrl'] as string
