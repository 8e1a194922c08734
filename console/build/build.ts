/** Builds the console into the folder that is named: `node console/build/build.ts FOLDER`. The server runs this. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { options } from './options.ts'

const compressible = /\.(?:js|css|svg)$/
const worthCompressingBytes = 1_000

/** Beside each file, as it is sent to those who take it compressed: done once, so as small as it can be. */
async function compress(file: string): Promise<void> {
  const bytes = await readFile(file)
  if (bytes.length < worthCompressingBytes) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }))
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }))
}

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('name the folder to build into')
// Regardless of the server's environment: with NODE_ENV=test or =development the build would contain the slow React.
process.env['NODE_ENV'] = 'production'
await build({
  ...options,
  cacheDir: join(folder, '.vite'),
  logLevel: 'warn',
  build: { ...options.build, outDir: folder, emptyOutDir: true },
})
const files = await readdir(folder, { recursive: true })
await Promise.all(files.filter((name) => compressible.test(name)).map((name) => compress(join(folder, name))))
