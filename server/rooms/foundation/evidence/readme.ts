import { keyName, manifestName, signatureName } from './bundle.ts'
import type { Manifest } from './manifest.ts'

/** The text in a pack that says how to check it, for people who have never heard of it. */
export const readmeOf = ({ tenant, subject, asOf, createdAt, key }: Omit<Manifest, 'files'>, hasLog: boolean): Buffer =>
  Buffer.from(
    [
      `Evidence of ${subject}`,
      `as of ${asOf}, for ${tenant.domain}, created ${createdAt}`,
      '',
      'Check it on any machine, without a server or a database:',
      '',
      `  bailiwick evidence verify FILE.zip --key ${key}`,
      '',
      'Take the key from the organization, not from this file: whoever changes this file can change the key in it.',
      'Its administrators see it in the console under System log, and at /api/v1/evidence/key.',
      '',
      'Without Bailiwick, after unpacking the archive:',
      '',
      `  openssl pkeyutl -verify -pubin -inkey ${keyName} -rawin -in ${manifestName} -sigfile ${signatureName}`,
      `  sha256sum each file, and compare with ${manifestName}`,
      '',
      'It proves that the server of the organization said this at that time, and that nothing was changed since.',
      'It does not prove that what the server recorded is true in the apps, other than where it says who confirmed it,',
      'nor that there is nothing else: what the creator of the pack may not see is not in it.',
      ...(hasLog
        ? [
            '',
            'events.jsonl has the events of the system log that recorded the grants and the decisions. log.json says where they are',
            'in the log. The server verified them when it created this pack. To verify them again, give the secret key of the',
            'installation (--secret-key-file); to verify that the log still contains them, run on the server:',
            '',
            '  bailiwick systemlog verify --head HEAD        (HEAD is in log.json)',
          ]
        : []),
      '',
    ].join('\n'),
  )
