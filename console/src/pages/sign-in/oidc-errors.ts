/** The server's errors, by a code in the address, when a sign-in at the provider failed. */
export const oidcErrors: Readonly<Record<string, string>> = {
  OIDC_NOT_SET_UP: 'Single sign-on is not configured or not allowed. Ask an administrator.',
  OIDC_EXPIRED: 'The sign-in took longer than ten minutes, or was started in another browser. Try again.',
  OIDC_REFUSED: 'Your provider denied the sign-in, or you cancelled it.',
  OIDC_UNREACHABLE: 'Your provider did not respond, or its response was not valid. Try again.',
  EMAIL_UNVERIFIED: 'Your provider has not verified your email address, so it cannot be used to sign in.',
  USER_UNKNOWN: 'No enabled user has your email address. Ask an administrator.',
  EMAIL_LINKED: 'Your user is linked to another account at your provider. An administrator can unlink it.',
  LINK_NEEDED:
    'Administrators must link their identity before they use single sign-on: sign in with another method, then go to Settings > Single sign-on.',
  ADDRESS_DENIED: 'Your organization does not allow signing in from this address.',
  IDENTITY_TAKEN: 'Your account at the provider is linked to another user.',
  TOO_MANY_FAILURES: 'Too many failed attempts. Wait a minute and try again.',
}
