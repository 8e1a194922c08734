/** Known reasons why apps that support SCIM fail. The advice for the first that matches is shown. */
const causes: readonly [RegExp, string][] = [
  [/token of this connector cannot be read/i, 'Set the token of the connector again.'],
  [
    /--outgoing-allow/,
    'Check the base URL. If the app is in your own network, ask the operator of this server to allow it.',
  ],
  [/must begin with https/, 'Use an https:// address, or ask the operator of this server to allow plain HTTP.'],
  [/could not be resolved/i, 'Check the host name in the base URL.'],
  [
    /TLS connection/i,
    'The certificate of the app is not trusted. Renew it, or ask the operator to trust its authority.',
  ],
  [/\b401\b/, 'The app refused the token. Create a new one in the app, and replace the token of the connector.'],
  [
    /\b403\b/,
    'The token does not have sufficient permissions. Allow it to read and change users and groups in the app.',
  ],
  [/redirect/i, 'Set the base URL to the address that the app redirects to.'],
  [
    /\b404\b|not JSON|not a SCIM list/i,
    'Check the base URL: it is the address before /Users, and usually ends in /scim/v2.',
  ],
  [/\b429\b|too many requests/i, 'The app limits requests. Sync less often, or request a higher limit.'],
  [
    /did not respond in time|could not be reached|was closed before/i,
    'Check that the app is running, and that this server can reach it.',
  ],
  [/\b5\d\d\b/, 'The app failed. Try again later, and check its log if that does not help.'],
  [/There is no app/i, 'The app was deleted. Delete the connector, or create it in another app.'],
]
const unknown = 'Check the log of the app. If it does not comply with SCIM 2.0, use a connector that you run instead.'

/** What to do about an app that could not be read. */
export const adviceOnScim = (error: string): string => causes.find(([pattern]) => pattern.test(error))?.[1] ?? unknown
