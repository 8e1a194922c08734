import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdDecompress } from 'node:zlib'
import { magicBytes, refuseFormat } from './format.ts'
import { FileRefused } from './refused.ts'

export type UnpackLimits = {
  /** The largest size of the database. */
  unpackedBytesMax: number
  /** The largest ratio to the size of the file, once the database is large: real ones are 10 to 60 times as large. */
  ratioMax: number
}

export const unpackLimits: UnpackLimits = { unpackedBytesMax: 8 * 1024 ** 3, ratioMax: 250 }
const ratioFrom = 64 * 1024 ** 2

// 128 MiB, as the connectors' own reader allows; a file that requests more would need that much memory here.
const windowLogMax = 27

/** Unpacks a file to `to`, which must not exist, within the limits. */
export async function unpack(from: string, to: string, limits: UnpackLimits): Promise<void> {
  const { size } = await refuseWrong(from)
  let bytes = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > limits.unpackedBytesMax)
        done(new FileRefused(`The file unpacks to more than ${limits.unpackedBytesMax / 1024 ** 2} MiB.`))
      else if (bytes > ratioFrom && bytes > size * limits.ratioMax)
        done(new FileRefused(`The file unpacks to more than ${limits.ratioMax} times its size.`))
      else done(null, chunk)
    },
  })
  try {
    await pipeline(
      createReadStream(from, { start: magicBytes, highWaterMark: 256 * 1024 }),
      createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: windowLogMax }, chunkSize: 256 * 1024 }),
      counted,
      createWriteStream(to, { flags: 'wx', mode: 0o600 }),
    )
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (
      code.startsWith('ZSTD_') ||
      code === 'Z_BUF_ERROR' ||
      code === 'Z_DATA_ERROR' ||
      code === 'ERR_ZLIB_INITIALIZATION_FAILED'
    )
      throw new FileRefused('The file is damaged or incomplete: it cannot be decompressed.')
    throw error
  }
}

async function refuseWrong(path: string): Promise<{ size: number }> {
  const file = await open(path)
  try {
    const first = Buffer.alloc(magicBytes)
    const { bytesRead } = await file.read(first, 0, magicBytes, 0)
    refuseFormat(first.subarray(0, bytesRead))
    return await file.stat()
  } finally {
    await file.close()
  }
}
