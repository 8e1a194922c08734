type Use = { origin: string; clientId: string; clientSecret: string }

/** For bash and zsh, with only curl and sed: gets an access token, then shows whose it is. */
export const curlSnippet = ({
  origin,
  clientId,
  clientSecret,
}: Use): string => `TOKEN=$(curl -s ${origin}/auth/v1/token \\
  -d grant_type=client_credentials \\
  --data-urlencode 'client_id=${clientId}' \\
  --data-urlencode 'client_secret=${clientSecret}' |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl -s ${origin}/api/v1/auth/introspect -H "Authorization: Bearer $TOKEN"`

/**
 * For a credential that requires DPoP, which is too much code for a snippet: with the client package, which has no
 * dependencies.
 */
export const dpopSnippet = ({
  origin,
  clientId,
  clientSecret,
}: Use): string => `import { authIntrospect, Bailiwick, bySecret } from '@bailiwick/client'

const clientId = '${clientId}'
const clientSecret = '${clientSecret}'
const signIn = bySecret({ clientId, clientSecret }, { dpop: true })
const bailiwick = new Bailiwick({ url: '${origin}', signIn })
console.log(await bailiwick.call(authIntrospect, {}))`

/** For Node 18 and newer, Deno and Bun, without a package. */
export const typescriptSnippet = ({ origin, clientId, clientSecret }: Use): string => `const origin = '${origin}'
const token = await fetch(\`\${origin}/auth/v1/token\`, {
  method: 'POST',
  body: new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: '${clientId}',
    client_secret: '${clientSecret}',
  }),
})
const { access_token } = (await token.json()) as { access_token: string }

const reply = await fetch(\`\${origin}/api/v1/auth/introspect\`, {
  headers: { authorization: \`Bearer \${access_token}\` },
})
console.log(await reply.json())`
