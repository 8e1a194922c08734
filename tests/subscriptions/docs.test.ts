import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { cleanEnvironment } from '../cli/command.ts'
import { later, temporaryFolder } from '../fixture/later.ts'
import { prepare } from './scene.ts'

const scene = prepare()
const page = readFileSync(join(import.meta.dirname, '../../docs/subscriptions.md'), 'utf8')
const [receiver = ''] = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)

/** The receiver of the page, in a process of its own; what it prints, a line each. */
async function startExample(secret: string): Promise<{ url: string; lines: string[] }> {
  const file = join(temporaryFolder(), 'receiver.ts')
  writeFileSync(file, receiver)
  const child = spawn(process.execPath, [file], {
    env: { ...cleanEnvironment, SUBSCRIPTION_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = new Promise((resolve) => child.once('close', resolve))
  later(async () => {
    child.kill()
    await exit
  })
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  await scene.until(() => lines.length > 0)
  return { url: `http://127.0.0.1:${/\d+$/.exec(lines[0] ?? '')?.[0]}/`, lines }
}

test('the receiver of docs/subscriptions.md takes messages of the server, each once, and no others', async () => {
  const made = await scene.subscribe({ eventKinds: ['bailiwick.emit'], url: 'http://127.0.0.1:9/' })
  const { url, lines } = await startExample(made.secret)
  expect((await scene.post(made.at, { subscription: { url } })).status).toBe(200)
  const ids = await scene.emit(3)
  await scene.until(() => lines.length === 4)
  // Until the server has it that all were received, a replay would skip some.
  await scene.until(async () => (await scene.get(made.id)).deliveredCount === '3')
  // Sent once more, and told apart by their ids.
  expect((await scene.post(`${made.at}/replay`, { fromEventId: ids[1] })).status).toBe(200)
  await scene.until(async () => (await scene.get(made.id)).deliveredCount === '5')
  expect(lines.slice(1)).toEqual(ids.map((id) => `bailiwick.emit ${id}`))
  // Of another subscription, so by another secret.
  const other = await scene.subscribe({ url })
  expect((await scene.post(`${other.at}/test`)).json['delivery']).toMatchObject({ status: 401 })
  const now = String(Math.floor(Date.now() / 1000))
  const forged = {
    'bailiwick-message-id': 'x',
    'bailiwick-message-timestamp': now,
    'bailiwick-message-signature': 'v1,eA==',
  }
  expect((await fetch(url, { method: 'POST', body: '{}', headers: forged })).status).toBe(401)
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401)
  expect(lines.length).toBe(4)
})

test('the page names every reason, every header and every metric', async () => {
  const { reasons } = await import('#rooms/events/subscriptions/subscription.ts')
  const { headerNames } = await import('#rooms/events/subscriptions/deliver/message.ts')
  for (const name of [...reasons, ...Object.values(headerNames)]) expect(page, name).toContain(name)
})
