import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { createSecureContext } from 'node:tls'

/** A certificate chain and its key, checked. */
export type Pair = { certificate: string; key: string; leaf: X509Certificate }
export type Problem = { field: 'certificate' | 'key'; description: string }

export const pemLengthMax = 65_536
const chainMax = 10

const pemBlock = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g
const wrong = (field: Problem['field'], description: string): Problem => ({ field, description })

/** A chain and its key for a host, or what is wrong with them. */
export function readPair(given: { certificate: string; key: string }, host: string, now: Date): Pair | Problem {
  const chain = readChain(given.certificate)
  if ('field' in chain) return chain
  const key = readKey(given.key)
  if ('field' in key) return key
  const [leaf] = chain.certificates
  if (!leaf.checkPrivateKey(key.key)) return wrong('key', 'is not the key of the certificate')
  const unfit = whyUnfit(leaf, host, now)
  if (unfit) return wrong('certificate', unfit)
  const pair = {
    certificate: chain.certificates.map(String).join(''),
    key: key.key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
  try {
    createSecureContext({ cert: pair.certificate, key: pair.key })
  } catch {
    // For example because of a signature by SHA-1.
    return wrong('certificate', 'is not accepted by OpenSSL')
  }
  return { ...pair, leaf }
}

function readChain(text: string): { certificates: [X509Certificate, ...X509Certificate[]] } | Problem {
  if (text.length > pemLengthMax) return wrong('certificate', `must have at most ${pemLengthMax} characters`)
  const blocks = text.match(pemBlock) ?? []
  if (blocks.length > chainMax) return wrong('certificate', `must have at most ${chainMax} certificates`)
  const parsed = blocks.map(parse)
  const certificates = parsed.filter((each) => each !== null)
  const [leaf, ...others] = certificates
  if (!leaf || certificates.length < parsed.length)
    return wrong('certificate', 'must be certificates in PEM, that of the host first')
  for (const [i, issuer] of others.entries())
    if (!certificates[i]?.checkIssued(issuer))
      return wrong(
        'certificate',
        `${i + 2} of the chain has not issued the one before: the order must be host, then its issuer`,
      )
  return { certificates: [leaf, ...others] }
}

function parse(block: string): X509Certificate | null {
  try {
    return new X509Certificate(block)
  } catch {
    return null
  }
}

const curves = ['prime256v1', 'secp384r1']
const kinds = 'must be RSA with 2048 to 4096 bits, or an elliptic curve: P-256 or P-384'

function readKey(text: string): { key: KeyObject } | Problem {
  if (text.length > pemLengthMax) return wrong('key', `must have at most ${pemLengthMax} characters`)
  if (/ENCRYPTED/.test(text)) return wrong('key', 'must not be encrypted with a passphrase')
  let key: KeyObject
  try {
    key = createPrivateKey(text)
  } catch {
    return wrong('key', 'must be a private key in PEM')
  }
  const { modulusLength = 0, namedCurve = '' } = key.asymmetricKeyDetails ?? {}
  const isRsa = key.asymmetricKeyType === 'rsa' && modulusLength >= 2048 && modulusLength <= 4096
  const isCurve = key.asymmetricKeyType === 'ec' && curves.includes(namedCurve)
  return isRsa || isCurve ? { key } : wrong('key', kinds)
}

function whyUnfit(leaf: X509Certificate, host: string, now: Date): string | null {
  const address = host.replace(/^\[|\]$/g, '')
  const isFor = isIP(address) === 0 ? leaf.checkHost(address, { subject: 'never' }) : leaf.checkIP(address)
  if (isFor === undefined) return `is not for ${host}: its names are ${namesOf(leaf).join(', ') || 'none'}`
  if (leaf.validToDate <= now) return `ended at ${leaf.validToDate.toISOString()}`
  return leaf.validFromDate > now ? `is not valid before ${leaf.validFromDate.toISOString()}` : null
}

const shownMax = 20

/** The names that a certificate is for, as many as people read. */
export const namesOf = ({ subjectAltName }: X509Certificate): string[] =>
  (subjectAltName ?? '')
    .split(', ')
    .filter((name) => /^(?:DNS|IP Address):/.test(name))
    .map((name) => name.replace(/^[^:]*:/, '').slice(0, 253))
    .slice(0, shownMax)

/** Who issued it, as the certificate names it. */
export const issuerOf = ({ issuer }: X509Certificate): string =>
  (/^(?:CN|O)=(.*)$/m.exec(issuer ?? '')?.[1] ?? 'unknown').slice(0, 200)
