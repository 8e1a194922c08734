/** How the server reaches the mail server that takes its messages. */
export type MailSettings = {
  readonly host: string
  readonly port: number
  /** `starttls`: TLS is required once the connection is open. `tls`: from the first byte. `none`: never. */
  readonly security: 'starttls' | 'tls' | 'none'
  /** Absent if the mail server requires no user name. */
  readonly login?: { readonly user: string; readonly password: string } | undefined
  /** Certificate authorities in PEM, besides those of Node. */
  readonly ca?: string | undefined
  readonly from: { readonly name: string; readonly address: string }
}

// Addresses that are sent to a mail server: the atoms of RFC 5321, so nothing that ends or nests an address.
const addressForm = /^[a-z0-9!#$%&'*+\-/=?^_`{|}~.]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/i

export const isMailAddress = (text: string): boolean => text.length <= 254 && addressForm.test(text)

/** `Bailiwick <access@example.com>` or `access@example.com`; null for anything else. */
export function readSender(text: string): { name: string; address: string } | null {
  const [, name = '', within] = /^([^<>]*)<([^<>]+)>$/.exec(text.trim()) ?? []
  const address = (within ?? text).trim()
  const plain = name.trim().replace(/^"(.*)"$/, '$1')
  // oxlint-disable-next-line no-control-regex -- A name with a line break would be another header.
  return isMailAddress(address) && plain.length <= 200 && !/[\u0000-\u001f\u007f]/.test(plain)
    ? { name: plain, address }
    : null
}
