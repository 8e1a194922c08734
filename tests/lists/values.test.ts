import { expect, test } from 'vitest'
import type { Json } from '../fixture/access.ts'
import { prepare } from '../grants/scene.ts'

/** Filters suggest the values that exist. */

const scene = prepare()
const path = '/api/v1/lists/users/values'

test('departments and job titles that users have are found by any part, the most frequent first', async () => {
  for (const [department, jobTitle, status] of [
    ['Field Sales', 'Lead', 'ENABLED'],
    ['Sales, EMEA', 'Lead', 'DISABLED'],
    ['Sales, EMEA', 'Clerk', 'ENABLED'],
    ['Finance', '', 'ENABLED'],
  ] as const)
    await scene.user({ department, jobTitle, status })
  const found = async (query: string): Promise<string[]> => {
    const { status, json, text } = await scene.get(`${path}?${query}`)
    expect(status, text).toBe(200)
    return (json['list'] as Json[]).map(({ value, count }) => `${String(value)}: ${Number(count)}`)
  }
  expect(await found('field=department&query=SALES')).toEqual(['Sales, EMEA: 2', 'Field Sales: 1'])
  expect(await found('field=department&query=emea')).toEqual(['Sales, EMEA: 2'])
  expect(await found('field=jobTitle&query=')).toEqual(['Lead: 2', 'Clerk: 1'])
  expect(await found('field=department&query=nothing')).toEqual([])
})

test('other fields are refused, and so is whoever may not read users', async () => {
  expect((await scene.get(`${path}?field=email`)).status).toBe(400)
  expect((await scene.get(`${path}?field=department`, scene.basic)).status).toBe(403)
})
