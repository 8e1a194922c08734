import { tokenOf } from './entitlements.ts'
import { load, requestBytes } from './load.ts'
import { type Served, startBailiwick } from './processes.ts'

/** A server with a directory, whose users were created one by one by SCIM. */
export type ScimScene = Served & {
  dataDir: string
  appId: string
  token: string
  ids: readonly string[]
  /** How many users were created in a second. */
  createdPerSecond: number
}

export const userOf = (n: number): string =>
  JSON.stringify({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: `person-${n}@example.com`,
    externalId: `00u${n}`,
    name: { givenName: `Given ${n}`, familyName: `Family ${n}` },
    emails: [{ value: `person-${n}@example.com`, type: 'work', primary: true }],
    title: 'Engineer',
    active: true,
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: `Department ${n % 50}` },
  })

/** As many requests at once as an identity provider sends. */
const connections = 4

export async function startScim(count: number): Promise<ScimScene> {
  const served = await startBailiwick()
  const made = await fetch(`http://127.0.0.1:${served.port}/api/v1/scim-directories`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await tokenOf(served)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ displayName: 'Bench' }),
  })
  if (made.status !== 200) throw new Error(await made.text())
  const { directory, token } = (await made.json()) as { directory: { appId: string }; token: string }
  const ids: string[] = []
  let n = 0
  const begin = performance.now()
  while (n < count)
    await load({
      port: served.port,
      connections,
      durationMs: 1_000,
      next: () =>
        requestBytes('POST', `/scim/v2/${directory.appId}/Users`, {
          headers: { authorization: `Bearer ${token}` },
          body: userOf(n++),
        }),
      onAnswer: (answer) => {
        const id = /"id":"([0-9A-Za-z]{27})"/.exec(answer.toString('latin1'))?.[1]
        if (id === undefined) throw new Error(answer.toString())
        ids.push(id)
      },
    })
  const createdPerSecond = (ids.length * 1000) / (performance.now() - begin)
  return { ...served, appId: directory.appId, token, ids, createdPerSecond }
}
