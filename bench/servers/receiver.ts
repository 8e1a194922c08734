import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// A receiver of events that only counts: a GET tells how many there were.
let count = 0
const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.end(String(count))
  request.resume()
  request.on('end', () => {
    count += 1
    response.writeHead(204)
    response.end()
  })
})
server.keepAliveTimeout = 72_000
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
