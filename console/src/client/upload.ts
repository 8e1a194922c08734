import { unreachable } from './api-error.ts'
import { consoleHeader, readReply, urlOf } from './call.ts'
import type { Operation } from './operation.ts'

type Uploading = {
  type: string
  /** From 0 to 1: how much of the file has left. */
  onSent: (part: number) => void
  signal: AbortSignal
}

/** Calls an operation that takes a file, telling how far it is: `fetch` cannot. */
export const upload = <Input extends { file: Blob }, Reply>(
  operation: Operation<Input, Reply>,
  input: Input,
  { type, onSent, signal }: Uploading,
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(operation.method, urlOf(operation.path, input as object))
    for (const [name, value] of Object.entries({ ...consoleHeader, 'content-type': type }))
      request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) => onSent(total > 0 ? loaded / total : 1))
    request.upload.addEventListener('load', () => onSent(1))
    request.addEventListener('error', () => reject(unreachable()))
    request.addEventListener('abort', () => reject(new DOMException('Cancelled.', 'AbortError')))
    request.addEventListener('load', () => {
      const requestId = request.getResponseHeader('x-request-id') ?? ''
      readReply(request.status, request.responseText, requestId).then((reply) => resolve(reply as Reply), reject)
    })
    signal.addEventListener('abort', () => request.abort())
    request.send(input.file)
  })
