/** Why a file is refused, as a message for its sender. */
export class FileRefused extends Error {
  override name = 'FileRefused'
}
