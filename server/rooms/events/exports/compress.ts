import { promisify } from 'node:util'
import { gunzip, gzip, zstdCompress, zstdDecompress } from 'node:zlib'
import type { Format } from './exporter.ts'

const gzipped = promisify(gzip)
const gunzipped = promisify(gunzip)
const zstdCompressed = promisify(zstdCompress)
const zstdDecompressed = promisify(zstdDecompress)

/** Neither format writes the time into its header: the same content gives the same bytes. */
export const compress = (format: Format, content: Buffer): Promise<Buffer> =>
  format === 'gzip' ? gzipped(content) : zstdCompressed(content)

/** More than anything that we compress; limits memory if someone else wrote the archive. */
const contentBytesMax = 64 * 1024 * 1024

export const decompress = (format: Format, bytes: Buffer): Promise<Buffer> =>
  format === 'gzip'
    ? gunzipped(bytes, { maxOutputLength: contentBytesMax })
    : zstdDecompressed(bytes, { maxOutputLength: contentBytesMax })
