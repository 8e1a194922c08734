import { expect, test } from 'vitest'
import { outcomeOf } from '../fixture/access.ts'
import { company, prepare, scene } from './company.ts'

prepare()

const path = '/api/v1/auth/sign_in_providers'
const settings = {
  displayName: 'Acme',
  issuer: 'https://login.acme.example',
  clientId: 'bailiwick',
  clientSecret: 'a-secret-that-nobody-sees',
  domains: ['acme.example'],
}
const isEnabled = async (id: string): Promise<unknown> =>
  (await scene.server.db`select is_enabled as "is" from sign_in_providers where provider_id = ${id}`)[0]?.['is']

test('enabling a provider for sign-in waits for approval, whichever kind of change needs it; the rest does not', async () => {
  for (const kind of ['automations', 'roles']) {
    const at = await company()
    await at.require(kind)
    const made = await at.post(at.author, path, settings)
    expect(outcomeOf(made), made.text).toBe('200')
    const { id } = made.json['provider'] as { id: string }
    const enable = () => at.post(at.author, `${path}/${id}/enable`)
    const task = await at.held(await enable())
    expect(JSON.stringify(task)).toContain('login.acme.example')
    expect(JSON.stringify(task)).not.toContain(settings.clientSecret)
    expect(await isEnabled(id)).toBe(false)
    expect(await at.approve(task.id)).toBe('done')
    expect(await isEnabled(id)).toBe(true)
    expect(outcomeOf(await at.post(at.author, `${path}/${id}/disable`))).toBe('200')
  }
})

test('what was approved is what is enabled: not a provider that was changed in the meantime', async () => {
  const at = await company()
  await at.require('roles')
  const { id } = (await at.post(at.author, path, settings)).json['provider'] as { id: string }
  const task = await at.held(await at.post(at.author, `${path}/${id}/enable`))
  const changed = { ...settings, issuer: 'https://evil.example', domains: ['acme.example', 'bank.example'] }
  expect(outcomeOf(await at.post(at.author, `${path}/${id}`, changed))).toBe('200')
  expect(await at.approve(task.id)).not.toBe('done')
  expect(await isEnabled(id)).toBe(false)
})
