import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { Logger } from 'pino'
import type { Config } from '#server/settings/config.ts'

export type TlsPair = { cert: string; key: string }

const lookEveryMs = 10_000

type Watching = {
  log: Logger
  /** The pair that is served. */
  current: TlsPair
  use(pair: TlsPair): void
  everyMs?: number
}

/**
 * Serves the certificate of `--tls-cert` and `--tls-key` again when the files change. Only a pair that fits is taken: while
 * one of the files is written, the other is still the old one.
 */
export function watchTlsFiles(
  { tlsCert, tlsKey }: Pick<Config, 'tlsCert' | 'tlsKey'>,
  { log, current, use, everyMs = lookEveryMs }: Watching,
): { stop(): void } {
  if (tlsCert === null || tlsKey === null) return { stop() {} }
  let seen = current
  const look = async (): Promise<void> => {
    const read = (file: string): Promise<string | null> => readFile(file, 'utf8').catch(() => null)
    const [cert, key] = await Promise.all([read(tlsCert), read(tlsKey)])
    if (cert === null || key === null || (cert === seen.cert && key === seen.key)) return
    seen = { cert, key }
    const problem = whyNotPair(seen)
    if (problem !== null) return log.warn({ file: tlsCert, problem }, 'the new certificate is not used')
    use(seen)
    log.info({ file: tlsCert, endsAt: new X509Certificate(cert).validToDate }, 'serves a new certificate')
  }
  const timer = setInterval(() => void look(), everyMs).unref()
  return { stop: () => clearInterval(timer) }
}

function whyNotPair({ cert, key }: TlsPair): string | null {
  try {
    createSecureContext({ cert, key })
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
      ? null
      : 'the key is not that of the certificate'
  } catch (error) {
    return (error as Error).message
  }
}
