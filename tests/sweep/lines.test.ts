import { describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { createCredential } from '#rooms/identity/credentials/index.ts'
import { foundTenant } from '#rooms/identity/users/index.ts'
import { type Command, readArguments } from '../../cli/command.ts'
import { commands } from '../../cli/commands.ts'
import { ask, outcomeOf } from '../fixture/access.ts'
import { prepare } from '../grants/scene.ts'

/** Names are one line that reads as it is written, by whichever door they come (decision 0134). */
const scene = prepare()
const bad = ['a\nb', 'a\r\nBcc: x', 'a\u001db', 'a\u0085b', 'a\u2028b', 'a\u202eb', 'a\u2066b']
const invalid = '400/3 INPUT_INVALID'

describe('what is displayed as a name is one line', () => {
  test('values of attributes, keys of steps and of annotations, options of forms, the app of a connector file', async () => {
    for (const each of bad) {
      const of = async (path: string, body: object) => outcomeOf(await scene.post(path, body))
      expect(await of('/api/v1/attributes/risk_levels', { value: each })).toBe(invalid)
      expect(await of('/api/v1/attributes/compliance_frameworks', { value: each })).toBe(invalid)
      const typed = { attributeTypeId: '000000000000000000RiskLevel', value: each }
      expect(await of('/api/v1/attributes', typed)).toBe(invalid)
      const steps = { steps: [{ accept: {} }] }
      const policy = { displayName: 'P', policyType: 'POLICY_TYPE_GRANT' }
      expect(await of('/api/v1/policies', { ...policy, policySteps: { grant: steps, [each]: steps } })).toBe(invalid)
      expect(await of('/api/v1/apps', { displayName: 'App', annotations: { [each]: 'x' } })).toBe(invalid)
      const options = [{ displayName: 'One', value: each }]
      const field = { name: 'f', displayName: 'F', stringField: { selectField: { options } } }
      expect(await of('/api/v1/request_schemas', { name: 'Form', fields: [field] })).toBe(invalid)
      const imported = await ask(scene.server, `/api/v1/imports?app=${encodeURIComponent(each)}`, {
        method: 'POST',
        token: scene.admin.token,
        headers: { 'content-type': 'application/x-c1z' },
        body: 'x',
      })
      expect(imported.text).toContain('app: must be one line')
    }
  })

  test('every argument of every command', () => {
    for (const command of commands) {
      const fill = (value: string): string[] => command.positionals.map(() => value)
      const needed = command.flags.filter((flag) => flag.required).flatMap(({ name }) => [`--${name}`, 'x'])
      const valued = command.flags.filter(({ value }) => value !== null)
      const read = (...args: string[]) => readArguments(command as Command, [...needed, ...args])
      for (const each of bad) {
        for (const { name } of valued)
          expect(() => read(...fill('x'), `--${name}=${each}`)).toThrow(`--${name} must be one line`)
        for (const _ of command.positionals.slice(0, 1)) expect(() => read(...fill(each))).toThrow('must be one line')
      }
    }
  })

  test('the owner of a new tenant and the name of a credential, also where no argument was read', async () => {
    const { world } = scene.access
    for (const each of bad) {
      const ownerEmail = `${each.replaceAll(/\s/g, '')}>@example.com`
      const founding = { domain: 'lines.example', ownerEmail }
      expect(await transact(world.db, (tx) => foundTenant(tx, world, founding))).toBe('EMAIL_INVALID')
      const wanted = {
        userId: scene.admin.userId,
        displayName: each,
        lifespanSeconds: null,
        allowSourceCidr: [],
        scopedRoles: [],
      }
      const cause = operatorCause(scene.access.tenant, 'credential create')
      await expect(transact(world.db, (tx) => createCredential(tx, world, cause, wanted))).rejects.toThrow(
        'displayName: must be one line',
      )
    }
  })
})
