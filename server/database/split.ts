// Comments, strings, quoted names and dollar-quoted bodies, in which a semicolon ends nothing; and the semicolons that
// do. Not supported: bodies of functions between BEGIN ATOMIC and END.
const tokens =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\b[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?\1|;/g

/** The statements of a text, one by one: Citus passes a statement on with all the text that was sent with it. */
export function splitStatements(text: string): string[] {
  const statements: string[] = []
  let begin = 0
  const add = (end: number): void => {
    const statement = text.slice(begin, end)
    if (statement.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, '').trim() !== '') statements.push(statement.trim())
  }
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token !== ';') continue
    add(index)
    begin = index + 1
  }
  add(text.length)
  return statements
}
