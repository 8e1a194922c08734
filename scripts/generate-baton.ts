import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Generated } from './generated-file.ts'

const protocol = 'server/rooms/records/baton/protocol'
const bin = (name: string): string => resolve('node_modules/.bin', name)

/** The code for every `.proto` file of the connectors' protocol: JavaScript and its types. */
export const batonFiles = (): Generated[] =>
  globSync(`${protocol}/**/*.proto`)
    .toSorted()
    .flatMap((path) => {
      const name = path.slice(protocol.length + 1).replace(/\.proto$/, '_pb')
      return ['js', 'd.ts'].map((ending) => ({
        path: `${protocol}/generated/${name}.${ending}`,
        make: async () => (await all()).get(`${name}.${ending}`) as string,
      }))
    })

let made: Promise<Map<string, string>> | null = null
const all = (): Promise<Map<string, string>> => (made ??= generate())

// JavaScript, because TypeScript of this generator has enums, which Node does not strip.
const template = {
  version: 'v2',
  plugins: [{ local: bin('protoc-gen-es'), opt: ['target=js+dts', 'import_extension=js'], out: '.' }],
}

async function generate(): Promise<Map<string, string>> {
  const out = await mkdtemp(join(tmpdir(), 'bailiwick-protocol-'))
  try {
    const options = ['generate', protocol, '--template', JSON.stringify(template), '--output', out]
    await promisify(execFile)(bin('buf'), options)
    const names = globSync('**/*_pb.{js,d.ts}', { cwd: out })
    return new Map(
      await Promise.all(
        names.map(async (name): Promise<[string, string]> => [name, await readFile(join(out, name), 'utf8')]),
      ),
    )
  } finally {
    await rm(out, { recursive: true, force: true })
  }
}
