/** Why a file cannot be read, as an operator would say it: `there is no file nofile.csv`. */
export function whyUnreadable(file: string, { code }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT' || code === 'ENOTDIR') return `there is no file ${file}`
  if (code === 'EISDIR') return `${file} is a folder`
  if (code === 'EACCES' || code === 'EPERM') return `${file} cannot be read: permission denied`
  return `${file} cannot be read${code === undefined ? '' : ` (${code})`}`
}
