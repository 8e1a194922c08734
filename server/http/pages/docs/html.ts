export const escape = (value: string): string =>
  value.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] as string)

/** A long name, escaped, that may break between its parts and nowhere else. */
export const breakable = (name: string): string =>
  escape(name)
    .replace(/([./_:@-])(?=\w)/g, '$1<wbr>')
    .replace(/([a-z0-9])([A-Z])/g, '$1<wbr>$2')
