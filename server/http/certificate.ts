import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { isIP, isIPv4 } from 'node:net'
import { join } from 'node:path'

/**
 * A self-signed certificate. Node signs but does not write X.509, and the libraries that do bring eighteen packages;
 * what one certificate needs of DER (ITU-T X.690) is the few lines below. The layout is that of RFC 5280 section 4.1.
 */
const der = (tag: number, ...parts: (Buffer | number[])[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const size = body.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts)
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const yes = der(0x01, [0xff])
const octets = (value: Buffer): Buffer => der(0x04, value)
// GeneralizedTime without fractions; RFC 5280 wants UTCTime before 2050.
const time = (at: Date): Buffer => der(0x17, Buffer.from(`${at.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
const name = (commonName: string): Buffer =>
  sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(commonName)))))

const addressBytes = (address: string): Buffer => {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail] = address.split('::')
  const groups = (half: string): string[] => (half === '' ? [] : half.split(':'))
  const before = groups(head)
  const after = tail === undefined ? [] : groups(tail)
  const zeros = Array<string>(8 - before.length - after.length).fill('0')
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex')
}
const subjectName = (host: string): Buffer =>
  isIP(host) ? der(0x87, addressBytes(host)) : der(0x82, Buffer.from(host))

const extensions = (hosts: readonly string[]): Buffer =>
  der(
    0xa3,
    sequence(
      sequence(oid('551d13'), yes, octets(sequence())), // basicConstraints: signs no other certificate
      sequence(oid('551d0f'), yes, octets(der(0x03, [7, 0x80]))), // keyUsage: digitalSignature
      sequence(oid('551d25'), octets(sequence(oid('2b06010505070301')))), // extKeyUsage: serverAuth
      sequence(oid('551d11'), octets(sequence(...hosts.map(subjectName)))), // subjectAltName
    ),
  )

function selfSign(hosts: readonly string[], privateKey: KeyObject, from: Date, days: number): string {
  const to = new Date(from.getTime() + days * 86_400_000)
  const serial = randomBytes(16)
  serial[0] = ((serial[0] as number) & 0x7f) | 0x40
  const tbs = sequence(
    der(0xa0, der(0x02, [2])), // version 3
    der(0x02, serial),
    ecdsaWithSha256,
    name('Bailiwick'),
    sequence(time(from), time(to)),
    name('Bailiwick'),
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    extensions(hosts),
  )
  const certificate = sequence(tbs, ecdsaWithSha256, der(0x03, [0], sign('sha256', tbs, privateKey)))
  const lines = certificate.toString('base64').match(/.{1,64}/g) as string[]
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

// Apple's platforms refuse certificates that users trusted themselves if they are valid for more than 825 days.
const days = 820
const renewDays = 30

export type KeptCertificate = { cert: string; key: string; certFile: string; isNew: boolean }

/** The certificate in `folder`, or a new one if there is none, it does not name all the hosts, or it expires soon. */
export async function keepCertificate(folder: string, hosts: readonly string[], now: Date): Promise<KeptCertificate> {
  const certFile = join(folder, 'tls-cert.pem')
  const keyFile = join(folder, 'tls-key.pem')
  const read = (file: string): Promise<string | null> => readFile(file, 'utf8').catch(() => null)
  const [cert, key] = await Promise.all([read(certFile), read(keyFile)])
  if (cert && key && isGood(new X509Certificate(cert), hosts, now)) return { cert, key, certFile, isNew: false }

  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const newKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const newCert = selfSign(hosts, privateKey, now, days)
  await mkdir(folder, { recursive: true })
  for (const [file, text, mode] of [
    [keyFile, newKey, 0o600],
    [certFile, newCert, 0o644],
  ] as const) {
    await writeFile(`${file}.new`, text, { mode })
    await rename(`${file}.new`, file)
  }
  return { cert: newCert, key: newKey, certFile, isNew: true }
}

const isGood = (certificate: X509Certificate, hosts: readonly string[], now: Date): boolean =>
  certificate.validToDate.getTime() - now.getTime() > renewDays * 86_400_000 &&
  hosts.every((host) => (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined)
