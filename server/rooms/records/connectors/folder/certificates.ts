import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'

/** Where Linux distributions keep the certificate authorities that they trust, in the order in which Go looks for them. */
const systemFiles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

async function systemRoots(): Promise<string> {
  for (const file of systemFiles) {
    const text = await readFile(file, 'utf8').catch(() => '')
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  }
  return rootCertificates.join('\n')
}

/**
 * Writes the certificates that programs trust: those of the system, which their apps have, the ones that the operator trusts,
 * and that of this server.
 */
export async function writeCertificates(folder: string, own: string, trusted = ''): Promise<string> {
  const file = join(folder, 'certificates.pem')
  await writeFile(file, [await systemRoots(), trusted, own].join('\n'), { mode: 0o644 })
  return file
}
