/**
 * `npm run console`: the console with hot reload, at http://localhost:5173, before the server at BAILIWICK_URL. Where
 * none answers there, one is started.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { options } from './options.ts'

const target = process.env['BAILIWICK_URL'] ?? 'http://localhost:8080'

const answers = await fetch(`${target}/healthz`).then(
  ({ ok }) => ok,
  () => false,
)
if (!answers) {
  const bin = fileURLToPath(new URL('../../bin/bailiwick.mjs', import.meta.url))
  const { port } = new URL(target)
  const server = spawn(process.execPath, [bin, 'serve', '--port', port || '80'], { stdio: 'inherit' })
  server.on('exit', (code) => process.exit(code ?? 1))
}

// The host stays as the browser sent it: it identifies the tenant, and cookies and cross-site checks depend on it.
const proxy = { target, changeOrigin: false }
const dev = await createServer({
  ...options,
  server: { port: 5173, strictPort: true, proxy: { '/api': proxy, '/auth': proxy, '/docs': proxy } },
})
await dev.listen()
dev.printUrls()
console.log('  Open the sign-in link that the server printed with this port in place of its own.')
