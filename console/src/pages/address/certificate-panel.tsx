import { Alert, Button, FileInput, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { addressCertificatesDelete, addressCertificatesSet, addressGet } from '#client/api/operations.ts'
import type { Address, AddressCertificate } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { ConfirmChange } from '../../parts/confirm-change.tsx'
import { Facts } from '../../parts/facts.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/panel.tsx'

type CertificatePanelProps = {
  addresses: readonly Address[]
  certificates: readonly AddressCertificate[]
  servesHttps: boolean
  mayChange: boolean
}

/** The certificates of the addresses, where the server serves HTTPS itself. */
export function CertificatePanel({
  addresses,
  certificates,
  servesHttps,
  mayChange,
}: CertificatePanelProps): ReactNode {
  const [toUpload, setToUpload] = useState<string | null>(null)
  const [toDelete, setToDelete] = useState<string | null>(null)
  const remove = useChange(addressCertificatesDelete, {
    changes: [addressGet],
    done: 'Deleted the certificate',
    onDone: () => setToDelete(null),
  })
  return (
    <Panel
      title="Certificates"
      about="For HTTPS by this server itself. Behind a proxy that serves HTTPS, none is needed here."
    >
      <Stack>
        {!servesHttps && (
          <Alert color="blue" title="This server does not serve HTTPS itself">
            Its operator has to start it with --https-port. Certificates that you upload are used from then on.
          </Alert>
        )}
        {addresses.map(({ host }) => {
          const certificate = certificates.find((each) => each.host === host)
          return (
            <div key={host}>
              {certificate ? <About certificate={certificate} /> : <Text size="sm">{host} has no certificate.</Text>}
              {mayChange && (
                <Group mt="xs">
                  <Button variant="default" onClick={() => setToUpload(host)}>
                    {certificate ? 'Replace certificate' : 'Upload certificate'}
                  </Button>
                  {certificate && (
                    <Button variant="subtle" color="red" onClick={() => setToDelete(host)}>
                      Delete certificate
                    </Button>
                  )}
                </Group>
              )}
            </div>
          )
        })}
      </Stack>
      {toUpload !== null && <Upload host={toUpload} onClose={() => setToUpload(null)} />}
      <ConfirmChange
        opened={toDelete !== null}
        onClose={() => setToDelete(null)}
        title={`Delete the certificate of ${toDelete ?? ''}?`}
        verb="Delete"
        change={remove}
        input={toDelete === null ? null : { path: { host: toDelete } }}
      >
        Browsers can no longer open {toDelete} by HTTPS at this server, unless its operator has configured a
        certificate.
      </ConfirmChange>
    </Panel>
  )
}

const dayMs = 86_400_000
const soonDays = 21

function About({ certificate }: { certificate: AddressCertificate }): ReactNode {
  const days = (Date.parse(certificate.validTo ?? '') - Date.now()) / dayMs
  return (
    <>
      <Facts
        facts={[
          ['Address', certificate.host],
          ['Names', certificate.names.join(', ')],
          ['Issued by', certificate.issuer],
          ['Valid until', <Moment key="to" at={certificate.validTo} />],
        ]}
      />
      {days < soonDays && (
        <Alert color={days < 0 ? 'red' : 'yellow'} role="alert" mt="xs">
          {days < 0
            ? 'This certificate has expired. Browsers warn people.'
            : 'This certificate expires soon. Replace it.'}
        </Alert>
      )}
    </>
  )
}

function Upload({ host, onClose }: { host: string; onClose: () => void }): ReactNode {
  const [certificate, setCertificate] = useState<File | null>(null)
  const [key, setKey] = useState<File | null>(null)
  const [unreadable, setUnreadable] = useState('')
  const set = useChange(addressCertificatesSet, {
    changes: [addressGet],
    done: 'Uploaded the certificate',
    onDone: onClose,
  })
  const submit = async (): Promise<void> => {
    try {
      const [chain = '', secret = ''] = await Promise.all([certificate?.text(), key?.text()])
      set.mutate({ path: { host }, body: { certificate: chain, key: secret } })
    } catch {
      setUnreadable('The file could not be read. Choose it again.')
    }
  }
  return (
    <FormModal
      opened
      onClose={onClose}
      title={`Certificate of ${host}`}
      verb="Upload certificate"
      isIncomplete={!certificate || !key}
      isPending={set.isPending}
      error={set.error}
      fields={['certificate', 'key']}
      onSubmit={() => void submit()}
    >
      <FileInput
        label="Certificate chain"
        description="PEM: the certificate of the host first, then its issuers."
        placeholder="Choose a file"
        required
        value={certificate}
        onChange={setCertificate}
        error={problemOf(set.error, 'certificate') ?? unreadable}
      />
      <FileInput
        label="Private key"
        description="PEM, not encrypted. RSA with 2048 to 4096 bits, P-256 or P-384. It is stored encrypted."
        placeholder="Choose a file"
        required
        value={key}
        onChange={setKey}
        error={problemOf(set.error, 'key')}
      />
    </FormModal>
  )
}
