/** Why a file is refused, in words for whoever sent it. */
export class FileRefused extends Error {
  override name = 'FileRefused'
}
