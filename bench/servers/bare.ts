import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// The floor: what Node's own HTTP server costs, and nothing else.
const { headers, body } = JSON.parse(process.argv[2] as string) as { headers: Record<string, string>; body: string }
const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
server.keepAliveTimeout = 72_000
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
