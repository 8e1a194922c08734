import { expect, test } from 'vitest'
import { hook } from '#kernel/hook.ts'

test('steps of a hook are run one after the other, and their results returned', async () => {
  const deleted = hook<[id: string], number>('deleted')
  const seen: string[] = []
  deleted.connect(
    async (id) => {
      await Promise.resolve()
      return seen.push(`first ${id}`)
    },
    async (id) => seen.push(`second ${id}`),
  )
  expect(await deleted.run('a')).toEqual([1, 2])
  expect(seen).toEqual(['first a', 'second a'])
})

test('a step that fails fails what ran it, and no other follows', async () => {
  const deleted = hook('deleted')
  let isRun = false
  deleted.connect(
    () => Promise.reject(new Error('no')),
    async () => {
      isRun = true
    },
  )
  await expect(deleted.run()).rejects.toThrow('no')
  expect(isRun).toBe(false)
})

test('a hook that nothing is connected to fails: rows would be left behind', async () => {
  await expect(hook('deleted').run()).rejects.toThrow('Nothing is connected to the hook deleted.')
})
