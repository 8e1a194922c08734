import { sign } from 'node:crypto'
import { type Entry, writeArchive } from './archive/write.ts'
import { type EvidenceKey, pemOf } from './key.ts'
import { canonical, type Manifest, type Role, sha256 } from './manifest.ts'

/** The three files before those that the manifest lists. */
export const [manifestName, signatureName, keyName] = ['manifest.json', 'manifest.sig', 'key.pem']

export type Content = Entry & { role: Role }
export type About = Omit<Manifest, 'files' | 'key'>

/**
 * Writes a pack. The signature is that of the manifest as it is in the archive, so that other programs can check it, too.
 * This key signs nothing but manifests.
 */
export function writeBundle(
  about: About,
  files: readonly Content[],
  key: EvidenceKey,
): { bytes: Buffer; manifestSha256: string } {
  const { format, version, kind, id, tenant, subject, asOf, createdAt, createdBy, program } = about
  const manifest: Manifest = {
    ...{ format, version, kind, id, tenant, subject, asOf, createdAt, createdBy, program },
    key: key.fingerprint,
    files: files.map(({ name, role, content }) => ({ name, role, bytes: content.length, sha256: sha256(content) })),
  }
  const text = canonical(manifest)
  const bytes = writeArchive([
    { name: manifestName, content: text },
    { name: signatureName, content: sign(null, text, key.privateKey) },
    { name: keyName, content: Buffer.from(pemOf(key.publicKey)) },
    ...files.map(({ name, content }) => ({ name, content })),
  ])
  return { bytes, manifestSha256: sha256(text) }
}
