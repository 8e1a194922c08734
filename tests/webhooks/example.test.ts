import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import type { Json } from '../fixture/access.ts'
import { later } from '../fixture/later.ts'
import { startReceiver } from './receiver.ts'
import { prepareWebhooks } from './scene.ts'

const scene = prepareWebhooks()

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

const urlAt = (port: number): string => `http://127.0.0.1:${port}/hook`

test('the receiver of docs/webhooks.md accepts what Bailiwick sends, and nothing else', async () => {
  const [, code = ''] = /^```ts\n(.*?)^```$/ms.exec(readFileSync('docs/webhooks.md', 'utf8')) ?? []
  const folder = mkdtempSync(join(tmpdir(), 'bailiwick-example-'))
  later(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'receiver.mts')
  writeFileSync(file, code)
  const { domain } = scene.access.tenant
  const start = async (): Promise<number> => {
    const port = await freePort()
    const env = {
      PATH: process.env['PATH'],
      TMPDIR: tmpdir(),
      ...{ BAILIWICK_URL: scene.server.url, TENANT: domain, WEBHOOK_URL: urlAt(port), PORT: String(port) },
    }
    const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    later(() => void child.kill())
    let complaints = ''
    child.stderr.setEncoding('utf8').on('data', (text) => (complaints += text))
    const isReady = await new Promise<boolean>((resolve) => {
      createInterface({ input: child.stdout }).once('line', () => resolve(true))
      child.once('close', () => resolve(false))
    })
    if (isReady) return port
    // Others may have taken the port meanwhile.
    expect(complaints).toContain('EADDRINUSE')
    return start()
  }
  const port = await start()
  const url = urlAt(port)

  const id = await scene.webhook({ url })
  const done = await scene.until(id, await scene.test(id), 'SUCCESS')
  expect(done.attemptList[0]?.replyBody).toBe('{"version":"v1"}')

  // What was sent to another address, or with another body, is refused; so is what nobody signed.
  const other = await startReceiver()
  later(other.close)
  const otherId = await scene.webhook({ url: other.url })
  await scene.until(otherId, await scene.test(otherId), 'SUCCESS')
  const [caught] = other.received as [(typeof other.received)[0]]
  const send = async (headers: Record<string, string>, body: string): Promise<string> => {
    const reply = await fetch(url, { method: 'POST', headers, body })
    return `${reply.status} ${await reply.text()}`
  }
  const { authorization = '' } = caught.headers
  expect(await send({ authorization }, caught.text)).toBe('401 unexpected aud')
  expect(await send({}, caught.text)).toMatch(/^401 /)
  const [header = '', payload = '', signature = ''] = authorization.replace('bearer ', '').split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Json
  const forged = Buffer.from(JSON.stringify({ ...claims, aud: `127.0.0.1:${port}` })).toString('base64url')
  expect(await send({ authorization: `bearer ${header}.${forged}.${signature}` }, caught.text)).toBe(
    '401 wrong signature',
  )
})
