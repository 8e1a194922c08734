import { X509Certificate } from 'node:crypto'

/** The certificate in PEM, if it is self-signed: clients trust it only if they are given it. Empty for any other. */
export function selfSignedIn(pem: string | undefined): string {
  if (!pem) return ''
  const certificate = new X509Certificate(pem)
  return certificate.issuer === certificate.subject && certificate.verify(certificate.publicKey)
    ? certificate.toString()
    : ''
}
