import { resolve } from 'node:path'
import { readSender } from '#kernel/mail-settings.ts'
import { isAllowable } from '#kernel/outgoing/addresses.ts'
import { atLeastOne, isCidr, oneSwitch, portNumber, setting, text, Wrong, wholeNumber } from './setting.ts'

const logLevels = ['debug', 'info', 'warn', 'error', 'silent']

export const settings = {
  host: setting({
    value: 'ADDRESS',
    help: 'Address to listen on. A name or address other than the loopback one also names the first tenant.',
    byDefault: '127.0.0.1',
    fallback: '127.0.0.1',
    read: text,
  }),
  port: setting({ value: 'PORT', help: 'Port to listen on.', byDefault: '8080', fallback: 8080, read: portNumber }),
  workers: setting<number | null>({
    value: 'NUMBER',
    help: 'How many processes serve requests on the port. Another one, the primary, starts and replaces them.',
    byDefault: '1 with up to two cores or less than 3 GiB of memory; otherwise by cores and memory, at most 16',
    fallback: null,
    read: (value) => {
      const number = wholeNumber(value)
      return number >= 1 && number <= 64 ? number : new Wrong('a number from 1 to 64')
    },
  }),
  'data-dir': setting({
    value: 'FOLDER',
    help: 'Where the embedded PostgreSQL, the secret key and the self-signed certificate are stored.',
    byDefault: './data',
    fallback: resolve('data'),
    read: (value) => (value === '' ? new Wrong('a folder') : resolve(value)),
  }),
  'database-url': setting<string | null>({
    value: 'URL',
    help: 'A PostgreSQL server (15 or newer) to use instead of the embedded one.',
    variable: 'DATABASE_URL',
    byDefault: 'none: the embedded PostgreSQL',
    fallback: null,
    read: (value) =>
      /^postgres(ql)?:\/\//.test(value) && URL.canParse(value)
        ? value
        : new Wrong('a URL such as postgres://user@host:5432/database'),
  }),
  'database-without-tls': setting({
    value: null,
    help: 'Allow a --database-url on another machine that does not verify the server by TLS.',
    byDefault: 'off',
    fallback: false,
    read: oneSwitch,
  }),
  'secret-key-file': setting<string | null>({
    value: 'FILE',
    help: 'The key that encrypts secrets in the database. All servers of a database share it.',
    byDefault: 'secret.key in the data folder, created on the first start',
    fallback: null,
    read: (value) => (value === '' ? new Wrong('a file') : resolve(value)),
  }),
  'heads-file': setting<string | null>({
    value: 'FILE',
    help: 'Where the last known state of the system log is stored, outside the database. Each machine has its own.',
    byDefault: 'next to the secret key, as in secret.key.heads',
    fallback: null,
    read: (value) => (value === '' ? new Wrong('a file') : resolve(value)),
  }),
  'systemlog-witness': setting<readonly string[]>({
    value: 'WITNESS',
    help: 'A witness that is sent the current end of the system log: a file to append to, an http(s) URL, or stdout. Can be repeated.',
    repeatable: true,
    byDefault: 'none',
    fallback: [],
    read: (value) => {
      if (value === 'stdout') return [value]
      if (/^https?:\/\//i.test(value)) {
        const url = URL.parse(value)
        // fetch refuses an address with a name and a password in it.
        return url && url.username === '' && url.password === ''
          ? [url.href]
          : new Wrong('a URL without user name and password')
      }
      return value === '' || value === 'file:'
        ? new Wrong('a file, an http(s) URL, or stdout')
        : [`file:${resolve(value.replace(/^file:/, ''))}`]
    },
  }),
  'datasources-file': setting<string | null>({
    value: 'FILE',
    help: 'Places to which the system log can be exported, as JSON: folders, S3-compatible storage, HTTP and OpenTelemetry collectors. See docs/systemlog-exports.md.',
    byDefault: 'none',
    fallback: null,
    read: (value) => (value === '' ? new Wrong('a file') : resolve(value)),
  }),
  'systemlog-retention': setting<number | null>({
    value: 'DAYS',
    help: 'After how many days events of the system log are removed from the database, once they are exported to a folder or to S3-compatible storage and read back.',
    byDefault: 'none: events are kept',
    fallback: null,
    read: (value) => {
      const days = wholeNumber(value)
      return days >= 1 && days <= 36_500 ? days : new Wrong('a number of days from 1 to 36500')
    },
  }),
  'tokens-per-minute': setting({
    value: 'NUMBER',
    help: 'How many access tokens are issued per minute and API credential, averaged over ten minutes.',
    byDefault: '600',
    fallback: 600,
    read: (value) => {
      const number = wholeNumber(value)
      return number >= 1 ? number : new Wrong('a number of at least 1')
    },
  }),
  empty: setting({
    value: null,
    help: 'Do not create the demo company on the first start.',
    byDefault: 'off',
    fallback: false,
    read: oneSwitch,
  }),
  owner: setting({
    value: 'EMAIL',
    help: 'Super Administrator of the tenant that the first start creates.',
    byDefault: 'admin@localhost',
    fallback: 'admin@localhost',
    read: (value) => (/^[^\s@]+@[^\s@]+$/.test(value) ? value : new Wrong('an email address')),
  }),
  'tls-cert': setting<string | null>({
    value: 'FILE',
    help: 'Certificate chain (PEM) to serve HTTPS with.',
    byDefault: 'none: plain HTTP',
    fallback: null,
    read: (value) => (value === '' ? new Wrong('a file') : resolve(value)),
  }),
  'tls-key': setting<string | null>({
    value: 'FILE',
    help: 'Private key (PEM) of the certificate.',
    byDefault: 'none',
    fallback: null,
    read: (value) => (value === '' ? new Wrong('a file') : resolve(value)),
  }),
  'tls-self-signed': setting({
    value: null,
    help: "Serve HTTPS with a certificate for the tenants' hosts, created once and stored in the data folder.",
    byDefault: 'off',
    fallback: false,
    read: oneSwitch,
  }),
  'trusted-proxy': setting<readonly string[]>({
    value: 'CIDR',
    help: 'A proxy whose X-Forwarded-For and X-Forwarded-Proto headers are trusted. Can be repeated.',
    repeatable: true,
    byDefault: 'none',
    fallback: [],
    read: (value) => (isCidr(value) ? [value] : new Wrong('an IP address or CIDR block such as 10.0.0.0/8')),
  }),
  'outgoing-allow': setting<readonly string[]>({
    value: 'NETWORK',
    help: 'A network (CIDR) or a host whose private addresses the server may call, such as an app that supports SCIM. Can be repeated.',
    repeatable: true,
    byDefault: 'none: public addresses only',
    fallback: [],
    read: (value) =>
      isAllowable(value) ? [value] : new Wrong('a network such as 10.0.0.0/8, an IP address or a host name'),
  }),
  'outgoing-http': setting({
    value: null,
    help: 'Allow the server to call other hosts by plain HTTP. What it sends, including tokens, is then not encrypted.',
    byDefault: 'off: HTTPS only',
    fallback: false,
    read: oneSwitch,
  }),
  'outgoing-ca': setting<string | null>({
    value: 'FILE',
    help: 'Certificate authorities (PEM) that are trusted when the server calls other hosts, in addition to the default ones.',
    byDefault: 'none',
    fallback: null,
    read: (value) => (value === '' ? new Wrong('a file') : resolve(value)),
  }),
  'smtp-host': setting<string | null>({
    value: 'HOST',
    help: 'The mail server for notifications. Requires --mail-from.',
    byDefault: 'none: no mail is sent',
    fallback: null,
    read: (value) => (/^[a-z0-9.:_-]{1,253}$/i.test(value) ? value : new Wrong('the name or address of a host')),
  }),
  'smtp-port': setting<number | null>({
    value: 'PORT',
    help: 'Its port.',
    byDefault: '587 with STARTTLS, 465 with TLS, 25 without',
    fallback: null,
    read: (value) => {
      const port = wholeNumber(value)
      return port >= 1 && port <= 65_535 ? port : new Wrong('a port from 1 to 65535')
    },
  }),
  'smtp-tls': setting<'starttls' | 'tls' | 'none'>({
    value: 'MODE',
    help: 'How the connection to it is encrypted: starttls (required), tls (implicit) or none. Its certificate is verified.',
    byDefault: 'starttls',
    fallback: 'starttls',
    read: (value) =>
      value === 'starttls' || value === 'tls' || value === 'none' ? value : new Wrong('one of starttls, tls, none'),
  }),
  'smtp-ca': setting<string | null>({
    value: 'FILE',
    help: 'Certificate authorities (PEM) that are trusted for the mail server, in addition to the default ones.',
    byDefault: 'none',
    fallback: null,
    read: (value) => (value === '' ? new Wrong('a file') : resolve(value)),
  }),
  'smtp-user': setting<string | null>({
    value: 'NAME',
    help: 'User name at the mail server. Requires --smtp-password-file.',
    byDefault: 'none: no sign-in',
    fallback: null,
    read: text,
  }),
  'smtp-password-file': setting<string | null>({
    value: 'FILE',
    help: 'File with the password at the mail server.',
    byDefault: 'none',
    fallback: null,
    read: (value) => (value === '' ? new Wrong('a file') : resolve(value)),
  }),
  'mail-from': setting<{ name: string; address: string } | null>({
    value: 'ADDRESS',
    help: 'The sender of notifications, as in access@example.com or "Access <access@example.com>".',
    byDefault: 'none',
    fallback: null,
    read: (value) => readSender(value) ?? new Wrong('an address as in "Access <access@example.com>"'),
  }),
  'max-connections': setting({
    value: 'NUMBER',
    help: 'How many connections can be open at the same time. Further ones are closed.',
    byDefault: '10000',
    fallback: 10_000,
    read: atLeastOne,
  }),
  'max-connections-per-network': setting({
    value: 'NUMBER',
    help: 'How many of them may come from one IPv4 address or IPv6 /64. Loopback addresses and trusted proxies are exempt.',
    byDefault: '1000',
    fallback: 1000,
    read: atLeastOne,
  }),
  'service-domain': setting({
    value: 'DOMAIN',
    help: 'The domain in client secrets. Some existing clients require their own.',
    byDefault: 'bailiwick.internal',
    fallback: 'bailiwick.internal',
    read: (value) => (/^[a-z0-9.-]{1,253}$/i.test(value) ? value.toLowerCase() : new Wrong('a domain name')),
  }),
  'client-secret-v1': setting({
    value: null,
    help: 'Put v1: before the key in client secrets, as many existing clients expect.',
    byDefault: 'off',
    fallback: false,
    read: oneSwitch,
  }),
  'token-lifetime': setting({
    value: 'SECONDS',
    help: 'How long an access token is valid, from 60 to 3600. Tokens of a deleted credential are refused immediately.',
    byDefault: '600',
    fallback: 600,
    read: (value) => {
      const seconds = wholeNumber(value)
      return seconds >= 60 && seconds <= 3600 ? seconds : new Wrong('a number of seconds from 60 to 3600')
    },
  }),
  'metrics-port': setting<number | null>({
    value: 'PORT',
    help: 'Loopback port for Prometheus metrics.',
    byDefault: '9464, or no metrics if that port is in use',
    fallback: null,
    read: portNumber,
  }),
  'log-level': setting({
    value: 'LEVEL',
    help: `How much is logged to standard error: ${logLevels.join(', ')}.`,
    byDefault: 'info',
    fallback: 'info',
    read: (value) => (logLevels.includes(value) ? value : new Wrong(`one of ${logLevels.join(', ')}`)),
  }),
  'log-format': setting<'json' | 'text' | null>({
    value: 'FORMAT',
    help: 'How it is logged: json (one object per line) or text (for people).',
    byDefault: 'text if standard error is a terminal, otherwise json',
    fallback: null,
    read: (value) => (value === 'json' || value === 'text' ? value : new Wrong('one of json, text')),
  }),
  'log-requests': setting<'all' | 'failed' | 'none' | null>({
    value: 'WHICH',
    help: 'Which requests are logged: all, failed (status 5xx) or none.',
    byDefault: 'all; failed if the log is text',
    fallback: null,
    read: (value) =>
      value === 'all' || value === 'failed' || value === 'none' ? value : new Wrong('one of all, failed, none'),
  }),
}
