/** What the server says, by a code in the address, when the way over the provider did not end in a sign-in. */
export const oidcErrors: Readonly<Record<string, string>> = {
  OIDC_NOT_SET_UP: 'Single sign-on is not set up or not allowed here. Ask an administrator.',
  OIDC_EXPIRED: 'That took longer than ten minutes, or was begun in another browser. Begin again.',
  OIDC_REFUSED: 'Your provider did not let you in, or you said no.',
  OIDC_UNREACHABLE: 'Your provider did not answer, or answered in a way that cannot be trusted. Try again.',
  EMAIL_UNVERIFIED: 'Your provider does not vouch for your email address, so nobody here can be recognised by it.',
  USER_UNKNOWN: 'No enabled user here has your email address. Ask an administrator.',
  EMAIL_LINKED: 'Your user here is linked with another account at your provider. An administrator can unlink it.',
  LINK_NEEDED:
    'Administrators link their account before they use single sign-on: sign in another way once, then go to Settings, Single sign-on.',
  IDENTITY_TAKEN: 'Your account at the provider is linked with another user here.',
  TOO_MANY_FAILURES: 'There were too many failed tries. Wait a minute and try again.',
}
