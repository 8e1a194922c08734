const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** `app.v2.AppOwners` is marked as V2; v1, which most are, is not. */
const versionMark = (name: string): string => {
  const version = /\.(v\d+)\./.exec(name)?.[1] ?? 'v1'
  return version === 'v1' ? '' : capital(version)
}

/** The name of an operation in the client for TypeScript: `iam.v1.PersonalClientService.List` is `personalClientList`. */
export function constantName(id: string): string {
  const [service = '', verb = ''] = id.split('.').slice(-2)
  const name = (service.replace(/Service$/, '') + verb).replace('SearchSearch', 'Search') + versionMark(id)
  return name.charAt(0).toLowerCase() + name.slice(1)
}
