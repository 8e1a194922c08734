/** How someone signed in, by the code of the API. */
export const signInMethods: Readonly<Record<string, string>> = {
  link: 'One-time link',
  passkey: 'Passkey',
  oidc: 'Single sign-on',
}
