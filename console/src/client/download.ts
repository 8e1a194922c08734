import { UnreachableError } from '#client/api-error.ts'
import { addressOf, readAnswer } from '#client/request.ts'
import { sessionHeaders } from '#client/sign-in.ts'
import { refused } from './call.ts'

type Asked = { path?: Record<string, string>; body: unknown }

/** Has the API write a file, and the browser keep it under the name that the API gives it. */
export async function download(path: string, asked: Asked): Promise<void> {
  const reply = await fetch(addressOf(path, asked), {
    method: 'POST',
    headers: { ...sessionHeaders, 'content-type': 'application/json' },
    body: JSON.stringify(asked.body),
  }).catch(() => {
    throw new UnreachableError()
  })
  if (!reply.ok) {
    const requestId = reply.headers.get('x-request-id') ?? ''
    const text = await reply.text()
    await Promise.resolve()
      .then(() => readAnswer({ status: reply.status, text, requestId }))
      .catch(refused)
  }
  const name = /filename="([^"]+)"/.exec(reply.headers.get('content-disposition') ?? '')?.[1] ?? 'export'
  // A file that was cut off is an error here, and not a shorter file.
  const url = URL.createObjectURL(
    await reply.blob().catch(() => {
      throw new UnreachableError()
    }),
  )
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), revokedMs)
}

// The browser has begun to keep it by then.
const revokedMs = 60_000
