import { UnreachableError } from '#client/api-error.ts'
import type { Operation } from '#client/operation.ts'
import { addressOf, readAnswer } from '#client/request.ts'
import { sessionHeaders } from '#client/sign-in.ts'
import { refused } from './call.ts'

type Uploading = {
  type: string
  /** From 0 to 1: how much of the file has left. */
  onSent: (part: number) => void
  signal: AbortSignal
}

/** Calls an operation that takes a file, and reports its progress, which `fetch` cannot do. */
export const upload = <Input extends { file: Blob }, Reply>(
  operation: Operation<Input, Reply>,
  input: Input,
  { type, onSent, signal }: Uploading,
): Promise<Reply> =>
  new Promise<Reply>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(operation.method, addressOf(operation.path, input))
    for (const [name, value] of Object.entries({ ...sessionHeaders, 'content-type': type }))
      request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) => onSent(total > 0 ? loaded / total : 1))
    request.upload.addEventListener('load', () => onSent(1))
    request.addEventListener('error', () => reject(new UnreachableError()))
    request.addEventListener('abort', () => reject(new DOMException('Cancelled.', 'AbortError')))
    request.addEventListener('load', () => {
      const requestId = request.getResponseHeader('x-request-id') ?? ''
      try {
        resolve(readAnswer({ status: request.status, text: request.responseText, requestId }) as Reply)
      } catch (error) {
        reject(error)
      }
    })
    signal.addEventListener('abort', () => request.abort())
    request.send(input.file)
  }).catch(refused)
