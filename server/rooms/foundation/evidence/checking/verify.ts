import { type KeyObject, verify as verifySignature } from 'node:crypto'
import type { Seals } from '#kernel/seals.ts'
import { NotAsWritten, readArchive } from '../archive/read.ts'
import type { Entry } from '../archive/write.ts'
import { keyName, manifestName, signatureName } from '../bundle.ts'
import { fingerprintOf, readPem } from '../key.ts'
import { checkMacs, isLogProof, type LogProof, readEvents } from '../log-proof.ts'
import { type Manifest, readCanonical, readManifest } from '../manifest.ts'
import { type CheckedFile, checkFiles } from './files.ts'
import { compareWithData } from './table.ts'
import type { Finding, Signer, Verdict } from './verdict.ts'

/** What whoever verifies a pack knows from elsewhere. */
export type Known = {
  /** The fingerprint of the key of the organization. */
  fingerprint?: string | undefined
  /** By the secret key of the installation: then the events are verified, too. */
  seals?: Seals | undefined
}

const found = (what: string, details: readonly string[] = []): Finding => ({ what, details })

/** Verifies a pack from its bytes alone: no server, no database, no clock. */
export function verifyBundle(bytes: Buffer, known: Known): Verdict {
  let entries: Entry[]
  try {
    entries = readArchive(bytes)
  } catch (error) {
    if (!(error instanceof NotAsWritten)) throw error
    return unreadable(`The file ${error.message}.`)
  }
  const [manifestEntry, signature, pem, ...files] = entries
  const names = [manifestEntry, signature, pem].map((entry) => entry?.name)
  if (names.join() !== [manifestName, signatureName, keyName].join())
    return unreadable(`The archive does not begin with ${manifestName}, ${signatureName} and ${keyName}.`)
  const text = manifestEntry?.content as Buffer
  const manifest = readManifest(text)
  if (!manifest) return unreadable('The manifest is not one that this version reads.')
  const key = readPem(pem?.content.toString('latin1') ?? '')
  if (!key) return unreadable(`${keyName} is not a key as Bailiwick writes it.`)
  const signed = checkSignature({ text, signature: signature?.content as Buffer, key, manifest }, known)
  const checked = checkFiles(manifest, files)
  const findings = [...signed.findings, ...checked.findings, ...compareWithData(manifest, checked.files)]
  const log = checkLog(checked.files, known.seals)
  return {
    manifest,
    fingerprint: signed.fingerprint,
    signer: signed.signer,
    events: log.events,
    areEventsVerified: log.isVerified,
    head: log.head,
    findings: [...findings, ...log.findings],
  }
}

const unreadable = (what: string): Verdict => ({
  manifest: null,
  fingerprint: '',
  signer: 'unknown',
  events: null,
  areEventsVerified: false,
  head: '',
  findings: [found(what)],
})

type Signed = { text: Buffer; signature: Buffer; key: KeyObject; manifest: Manifest }

function checkSignature({ text, signature, key, manifest }: Signed, known: Known) {
  const findings: Finding[] = []
  const fingerprint = fingerprintOf(key)
  if (!verifySignature(null, text, key, signature))
    findings.push(found('The signature does not fit the manifest: one of them was altered.'))
  if (manifest.key !== fingerprint)
    findings.push(found(`The manifest names the key ${manifest.key}, and the pack has another one.`))
  const signer: Signer =
    known.fingerprint === undefined ? 'unchecked' : known.fingerprint === fingerprint ? 'known' : 'other'
  if (signer === 'other')
    findings.push(found(`It was signed with the key ${fingerprint}, not with ${known.fingerprint}: by somebody else.`))
  return { fingerprint, signer, findings }
}

/** The events of a pack, against what is said to prove them. */
function checkLog(files: readonly CheckedFile[], seals: Seals | undefined) {
  const none = { events: null, isVerified: false, head: '', findings: [] as Finding[] }
  const proofFile = files.find(({ role }) => role === 'log')
  const eventsFile = files.find(({ role }) => role === 'events')
  if (!proofFile?.content || !eventsFile?.content) return none
  const proof = readCanonical(proofFile.content)
  if (!isLogProof(proof)) return { ...none, findings: [found(`${proofFile.name} cannot be read.`)] }
  const { texts, findings } = readEvents(proof, eventsFile.content)
  const macs = seals ? checkMacs(seals, proof, texts) : []
  return {
    events: proof.events.length,
    isVerified: seals !== undefined && macs.length === 0 && findings.length === 0,
    head: headOf(proof),
    findings: [...findings, ...macs].map((what) => found(what)),
  }
}

const headOf = ({ head }: LogProof): string => (/^\d+:[0-9a-f]*$/.test(head) ? head : '')
